/**
 * Services that need the states of all peers: exact searches, and the ranking to judge other
 * searches by.
 */
@NullMarked
package io.kindred.simulator.oracle;

import org.jspecify.annotations.NullMarked;
