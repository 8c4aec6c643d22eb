/**
 * Grids of experiments on an Apache Spark cluster: every cell is one task, and its run folder comes
 * back to whoever asked. Spark decides where a cell runs and repeats what a lost worker took with
 * it; what a cell comes to is decided by its experiment alone.
 */
@NullMarked
package io.kindred.spark;

import org.jspecify.annotations.NullMarked;
