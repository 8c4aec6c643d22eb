/**
 * How a record declares its configuration: its name, and the meaning, the bounds and the default of
 * each key.
 */
@NullMarked
package io.kindred.core.config;

import org.jspecify.annotations.NullMarked;
