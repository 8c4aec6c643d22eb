package io.kindred.core.weights;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels over rows of bytes. Their sums are sums of integers, so the order of lanes, and with it
 * the width of the hardware, cannot change a result.
 */
public final class ByteKernels {
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, halfShape(SHORTS));
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ByteKernels() {}

  private static jdk.incubator.vector.VectorShape halfShape(VectorSpecies<Short> shorts) {
    return jdk.incubator.vector.VectorShape.forBitSize(shorts.vectorBitSize() / 2);
  }

  /** The sum of products of signed bytes; exact for rows of up to 131,072 bytes. */
  public static int dot(byte[] x, byte[] y) {
    int width = BYTES.length();
    int bound = BYTES.loopBound(x.length);
    int sum = 0;
    IntVector lanes = IntVector.zero(IntVector.SPECIES_PREFERRED);
    int i = 0;
    for (; i < bound; i += width) {
      ShortVector products =
          ((ShortVector)
                  ByteVector.fromArray(BYTES, x, i).convertShape(VectorOperators.B2S, SHORTS, 0))
              .mul(ByteVector.fromArray(BYTES, y, i).convertShape(VectorOperators.B2S, SHORTS, 0));
      lanes =
          lanes
              .add(products.convertShape(VectorOperators.S2I, IntVector.SPECIES_PREFERRED, 0))
              .add(products.convertShape(VectorOperators.S2I, IntVector.SPECIES_PREFERRED, 1));
    }
    sum += lanes.reduceLanes(VectorOperators.ADD);
    for (; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }

  /** How many bits differ; the rows have a multiple of eight bytes. */
  public static int differentBits(byte[] x, byte[] y) {
    int different = 0;
    for (int i = 0; i < x.length; i += Long.BYTES) {
      different += Long.bitCount((long) LONGS.get(x, i) ^ (long) LONGS.get(y, i));
    }
    return different;
  }
}
