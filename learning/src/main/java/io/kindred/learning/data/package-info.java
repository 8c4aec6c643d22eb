/**
 * Data sets as values: samples, labels and their sources. Decoders take bytes and return samples;
 * the package reads no files.
 */
@NullMarked
package io.kindred.learning.data;

import org.jspecify.annotations.NullMarked;
