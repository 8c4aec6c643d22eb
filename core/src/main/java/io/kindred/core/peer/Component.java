package io.kindred.core.peer;

/**
 * The machine of a peer's stack that an effect comes from or an event is for. The order is the
 * order of the stack, bottom first: an event for every machine (a start, a changed neighbourhood)
 * reaches the machines in this order. Append only: the wire format encodes the position.
 */
public enum Component {
  /** The machine that finds other peers: the overlay or the views. */
  DISCOVERY("OVERLAY"),
  METHOD("METHOD"),
  /**
   * Not a machine but the shell itself: it offers services that only a simulator has, such as an
   * exact search.
   */
  SHELL("SHELL");

  private final String recordedName;

  Component(String recordedName) {
    this.recordedName = recordedName;
  }

  /**
   * The name in traces and recordings. It stays when a constant gets a better name, because trace
   * hashes and the recordings of nodes depend on it.
   */
  public String recordedName() {
    return recordedName;
  }
}
