/**
 * Models as descriptions: which layers, how large, how their weights start. Engines interpret them.
 */
@NullMarked
package io.kindred.learning.model;

import org.jspecify.annotations.NullMarked;
