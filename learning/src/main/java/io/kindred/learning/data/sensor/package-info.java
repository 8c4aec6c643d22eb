/** Data sets of sensor readings. */
@NullMarked
package io.kindred.learning.data.sensor;

import org.jspecify.annotations.NullMarked;
