/**
 * A radio channel as pure mathematics (pFedWN, section III.B and appendix A): who is where, how
 * much of a sender's power arrives, what others add to it, and how probably a transmission fails.
 * Powers are in watts, distances in metres, thresholds and gains are ratios, never decibels.
 */
@NullMarked
package io.kindred.environment.radio;

import org.jspecify.annotations.NullMarked;
