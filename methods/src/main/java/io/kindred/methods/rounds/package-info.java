/**
 * Methods that go in rounds of own work and exchange: what is particular to one of them is a {@link
 * io.kindred.methods.rounds.Recipe}, and the machines here bring it through lost messages, late
 * neighbours and restarts, on a graph or with a server.
 */
@NullMarked
package io.kindred.methods.rounds;

import org.jspecify.annotations.NullMarked;
