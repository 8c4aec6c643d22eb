/**
 * How a record declares its configuration: the name it goes by, what each key means, its bounds and
 * its default.
 */
@NullMarked
package io.kindred.core.config;

import org.jspecify.annotations.NullMarked;
