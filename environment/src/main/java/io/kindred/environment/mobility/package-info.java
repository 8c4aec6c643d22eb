/** How peers move in the area that they lie in. */
@NullMarked
package io.kindred.environment.mobility;

import org.jspecify.annotations.NullMarked;
