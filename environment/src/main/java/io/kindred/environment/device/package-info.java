/** Devices that peers compute on, and how fast each is. */
@NullMarked
package io.kindred.environment.device;

import org.jspecify.annotations.NullMarked;
