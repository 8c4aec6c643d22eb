/**
 * Methods that run in rounds of local work and exchange: each method is a {@link
 * io.kindred.methods.rounds.RoundAlgorithm}, and the machines here run it despite lost messages,
 * late neighbours and restarts, on a graph or with a server.
 */
@NullMarked
package io.kindred.methods.rounds;

import org.jspecify.annotations.NullMarked;
