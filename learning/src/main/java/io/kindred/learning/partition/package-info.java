/** Who gets which sample: every split is disjoint, ends, and says why when it cannot be had. */
@NullMarked
package io.kindred.learning.partition;

import org.jspecify.annotations.NullMarked;
