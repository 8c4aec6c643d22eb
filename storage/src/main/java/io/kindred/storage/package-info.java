/**
 * The files a run reads and writes: experiment files, checkpoints, result lines, data sets. The
 * modules core, protocol, learning, methods, environment and simulator never touch the disk.
 */
@NullMarked
package io.kindred.storage;

import org.jspecify.annotations.NullMarked;
