package io.kindred.node.transport;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Layout;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The layouts that all members of a network know from its experiment. A message carries only the
 * digest of a vector's layout; a vector with an unknown layout cannot be read and is refused.
 */
public final class Layouts {
  private static final Wire WIRE = new Wire(List.of());

  private final SortedMap<Digest, Layout> known = new TreeMap<>();

  public Layouts(Collection<Layout> layouts) {
    for (Layout layout : layouts) {
      known.put(digest(layout), layout);
    }
  }

  public static Digest digest(Layout layout) {
    return Digest.of(WIRE.encode(Layout.class, layout).bytes());
  }

  /** Bytes of the largest model that the network has. */
  public long maxModelBytes() {
    return known.values().stream().mapToLong(Layouts::bytes).max().orElse(0);
  }

  private static long bytes(Layout layout) {
    return (long) Float.BYTES * layout.size();
  }

  /** Rejects vectors of unknown layouts or wrong sizes, before memory is reserved for them. */
  public void requireKnown(Header header) throws MalformedException {
    for (Header.Blob blob : header.blobs()) {
      if (find(blob.layout()).filter(layout -> bytes(layout) == blob.bytes()).isEmpty()) {
        throw new MalformedException("the weights have a layout that no model of this network has");
      }
    }
  }

  public Optional<Layout> find(Digest digest) {
    return Optional.ofNullable(known.get(digest));
  }
}
