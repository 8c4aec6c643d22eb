package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;

/**
 * The order in which coordinators follow each other. Every term belongs to one coordinator: term 0
 * to the server, and term t after it to client (t - 1) mod the number of clients. So two
 * coordinators never have the same term, and every client knows who may lead a term.
 */
record Succession(int clients, PeerId server) {
  PeerId coordinator(long term) {
    return term == 0 ? server : new PeerId((term - 1) % clients);
  }

  /** The first term of a client after another term. */
  long nextTerm(PeerId client, long after) {
    return after + 1 + rank(client, after);
  }

  /** How many clients come before this one in the succession to a term. */
  long rank(PeerId client, long term) {
    return Math.floorMod(client.number() - term, (long) clients);
  }
}
