/** Device models: what peers compute on, and how fast each device is. */
@NullMarked
package io.kindred.environment.device;

import org.jspecify.annotations.NullMarked;
