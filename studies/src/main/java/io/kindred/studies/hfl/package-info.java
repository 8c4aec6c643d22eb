/**
 * Studies of hierarchical learning without training: cluster formation on a network alone, and the
 * number of rounds that existing runs need to reach a target.
 */
@NullMarked
package io.kindred.studies.hfl;

import org.jspecify.annotations.NullMarked;
