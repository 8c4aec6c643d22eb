/**
 * Grids of experiments on an Apache Spark cluster: every cell is one task, and its run folder is
 * sent back to the driver. Spark decides where a cell runs and repeats the cells of a lost worker;
 * the result of a cell depends on its experiment alone.
 */
@NullMarked
package io.kindred.spark;

import org.jspecify.annotations.NullMarked;
