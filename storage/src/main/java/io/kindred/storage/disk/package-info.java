/**
 * Files on disk: atomic writes, so that a reader never sees half a file; verified reads, so that a
 * damaged file is reported and not used; and data sets as they were published.
 */
@NullMarked
package io.kindred.storage.disk;

import org.jspecify.annotations.NullMarked;
