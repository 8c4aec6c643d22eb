/**
 * Writing so that a reader never sees half a file, and reading so that a damaged file is called
 * damaged and not believed.
 */
@NullMarked
package io.kindred.storage.disk;

import org.jspecify.annotations.NullMarked;
