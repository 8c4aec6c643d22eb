/**
 * Data sets as values: samples, labels, and where they come from. Bytes in, samples out; no files
 * here.
 */
@NullMarked
package io.kindred.learning.data;

import org.jspecify.annotations.NullMarked;
