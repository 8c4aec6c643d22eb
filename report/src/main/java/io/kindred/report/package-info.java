/**
 * Compares runs: reads run folders, compares methods, and writes tables, figures and one
 * self-contained HTML page.
 *
 * <p>Everything here is a function of run folders. A report can be deleted and generated again,
 * also while a run is still in progress. It shows only what the folder holds; a missing value is a
 * dash, never zero.
 */
@NullMarked
package io.kindred.report;

import org.jspecify.annotations.NullMarked;
