/**
 * The files a run reads and writes: experiment files, checkpoints, result lines. Nothing outside
 * this room and {@code lab} touches the disk.
 */
@NullMarked
package io.kindred.storage;

import org.jspecify.annotations.NullMarked;
