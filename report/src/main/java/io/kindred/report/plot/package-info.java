/**
 * Small charts as text: every chart renders itself to one self-contained SVG document.
 *
 * <p>The SVG writer is our own because a run folder must look the same on every machine: no fonts,
 * no image libraries, no clock, and one fixed number format, so that equal runs give equal bytes.
 * Colours follow Okabe and Ito (safe for colour-blind readers); dashes, markers and labels at the
 * lines distinguish series without any colour. Attributes hold plain colours; class names beside
 * them let a page restyle the chart for a dark background.
 */
@NullMarked
package io.kindred.report.plot;

import org.jspecify.annotations.NullMarked;
