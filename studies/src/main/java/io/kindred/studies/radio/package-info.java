/**
 * Studies of the radio channel alone: who is heard where, and how far the formulas can be trusted.
 */
@NullMarked
package io.kindred.studies.radio;

import org.jspecify.annotations.NullMarked;
