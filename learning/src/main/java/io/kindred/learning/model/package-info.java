/**
 * Models as descriptions: layers, their sizes and the initialization of their weights. Engines
 * interpret them.
 */
@NullMarked
package io.kindred.learning.model;

import org.jspecify.annotations.NullMarked;
