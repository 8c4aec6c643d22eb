/**
 * Learning: data, partitions, models, engines and the training that brings them together. Only what
 * must see several of these stands here.
 */
@NullMarked
package io.kindred.learning;

import org.jspecify.annotations.NullMarked;
