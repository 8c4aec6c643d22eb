package io.kindred.storage.disk;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The weights that a checkpoint names by digest: each layout once, then the vectors, little-endian.
 * Also blocks of bytes with their length.
 */
public final class WeightsTable {
  private static final Wire WIRE = new Wire(List.of());

  private WeightsTable() {}

  public static void write(DataOutputStream data, Collection<Weights> weights) throws IOException {
    List<Layout> layouts = weights.stream().map(Weights::layout).distinct().toList();
    data.writeInt(layouts.size());
    for (Layout layout : layouts) {
      writeBlock(data, WIRE.encode(Layout.class, layout).bytes());
    }
    data.writeInt(weights.size());
    for (Weights each : weights) {
      data.writeInt(layouts.indexOf(each.layout()));
      ByteBuffer bytes = ByteBuffer.allocate(4 * each.size()).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asFloatBuffer().put(each.shared());
      data.write(bytes.array());
    }
  }

  public static SortedMap<Digest, Weights> read(DataInputStream data)
      throws IOException, MalformedException {
    List<Layout> layouts = new ArrayList<>();
    int layoutCount = data.readInt();
    for (int i = 0; i < layoutCount; i++) {
      layouts.add(WIRE.decode(Layout.class, readBlock(data), digest -> null));
    }
    SortedMap<Digest, Weights> weights = new TreeMap<>();
    int count = data.readInt();
    for (int i = 0; i < count; i++) {
      Layout layout = layouts.get(data.readInt());
      byte[] bytes = readExactly(data, 4 * layout.size());
      float[] values = new float[layout.size()];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
      Weights each = Weights.wrap(layout, values);
      weights.put(each.digest(), each);
    }
    return weights;
  }

  public static void writeBlock(DataOutputStream data, byte[] bytes) throws IOException {
    data.writeInt(bytes.length);
    data.write(bytes);
  }

  public static byte[] readBlock(DataInputStream data) throws IOException {
    return readExactly(data, data.readInt());
  }

  private static byte[] readExactly(DataInputStream data, int count) throws IOException {
    byte[] bytes = data.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("expected " + count + " bytes, found " + bytes.length);
    }
    return bytes;
  }
}
