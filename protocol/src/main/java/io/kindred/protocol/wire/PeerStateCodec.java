package io.kindred.protocol.wire;

import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import java.util.ArrayList;
import java.util.List;

/** Codec of a peer's state, part by part: only the peer itself knows the types. */
public final class PeerStateCodec {
  private PeerStateCodec() {}

  public static void write(Wire wire, Peer peer, PeerState state, WireOutput out) {
    List<Class<?>> types = peer.stateTypes();
    for (int i = 0; i < types.size(); i++) {
      wire.write(types.get(i), state.layers().get(i), out);
    }
  }

  public static PeerState read(Wire wire, Peer peer, WireInput in) throws MalformedException {
    List<Object> states = new ArrayList<>();
    for (Class<?> type : peer.stateTypes()) {
      states.add(wire.read(type, in));
    }
    return new PeerState(states);
  }
}
