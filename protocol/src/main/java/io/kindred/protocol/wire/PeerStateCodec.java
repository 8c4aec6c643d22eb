package io.kindred.protocol.wire;

import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.PeerState;
import java.util.ArrayList;
import java.util.List;

/** Codec of a peer's state, layer by layer: only the peer's own machines know the types. */
public final class PeerStateCodec {
  private PeerStateCodec() {}

  public static void write(Wire wire, Peer peer, PeerState state, WireOutput out) {
    List<PeerLayer<?>> layers = peer.layers();
    for (int l = 0; l < layers.size(); l++) {
      wire.write(layers.get(l).stateType(), state.layers().get(l), out);
    }
  }

  public static PeerState read(Wire wire, Peer peer, WireInput in) throws MalformedException {
    List<Object> layers = new ArrayList<>();
    for (PeerLayer<?> layer : peer.layers()) {
      layers.add(wire.read(layer.stateType(), in));
    }
    return new PeerState(layers);
  }
}
