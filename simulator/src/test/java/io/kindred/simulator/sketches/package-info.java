/**
 * Short methods that stretch the contract where later systems will need it: pull after search,
 * several models a peer, two levels of aggregation, a greedy choice by losses, an ensemble with
 * per-sample weights. They run, are checkpointed between any two events and resume like the real
 * ones.
 */
@NullMarked
package io.kindred.simulator.sketches;

import org.jspecify.annotations.NullMarked;
