/** Random streams that are derived from what they are for, never drawn in passing. */
@NullMarked
package io.kindred.core.random;

import org.jspecify.annotations.NullMarked;
