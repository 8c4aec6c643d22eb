/**
 * A radio channel as pure mathematics (pFedWN, section III.B and appendix A): the positions of
 * peers, the received share of a sender's power, the interference, and the probability that a
 * transmission fails. Powers are in watts, distances in metres, thresholds and gains are ratios;
 * only experiment files may use decibels.
 */
@NullMarked
package io.kindred.environment.radio;

import org.jspecify.annotations.NullMarked;
