/**
 * Learning: data, partitions, models, engines and the training that connects them. This package
 * holds only the types that must see several of these.
 */
@NullMarked
package io.kindred.learning;

import org.jspecify.annotations.NullMarked;
