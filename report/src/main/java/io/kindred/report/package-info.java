/**
 * What runs say when put side by side: reads run folders, compares methods, and writes tables,
 * figures and one self-contained page.
 *
 * <p>Everything here is a function of run folders. A report can be thrown away and made again, also
 * while a run is still going; nothing is shown that the folder does not hold, and what it does not
 * hold is shown as a dash, never as zero.
 */
@NullMarked
package io.kindred.report;

import org.jspecify.annotations.NullMarked;
