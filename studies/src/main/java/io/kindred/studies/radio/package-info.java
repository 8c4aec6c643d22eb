/**
 * Studies of the radio channel alone: which senders a target can receive, and how accurate the
 * formulas are.
 */
@NullMarked
package io.kindred.studies.radio;

import org.jspecify.annotations.NullMarked;
