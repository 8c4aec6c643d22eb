/** How a record is copied with some of its components changed: by a generated builder. */
@NullMarked
package io.kindred.core.record;

import org.jspecify.annotations.NullMarked;
