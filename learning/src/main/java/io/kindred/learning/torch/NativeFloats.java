package io.kindred.learning.torch;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Floats outside the heap that Java writes and tensors share without a copy. Aligned to a cache
 * line, because kernels may depend on alignment and every process should run the same. The memory
 * is freed with this object, so the owner of a tensor over it must keep both.
 */
final class NativeFloats {
  private static final long ALIGNMENT = 64;

  private final MemorySegment segment;

  NativeFloats(int size) {
    this.segment = Arena.ofAuto().allocate(Math.max(1, (long) size) * Float.BYTES, ALIGNMENT);
  }

  private FloatBuffer buffer(int from, int count) {
    return segment
        .asSlice((long) from * Float.BYTES, (long) count * Float.BYTES)
        .asByteBuffer()
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer();
  }

  /** Copies the first values into this memory. */
  void write(float[] values, int count) {
    MemorySegment.copy(values, 0, segment, ValueLayout.JAVA_FLOAT, 0, count);
  }

  /** A tensor over some of the values. */
  Tensor tensor(int from, int count, long... shape) {
    return torch.from_blob(new FloatPointer(buffer(from, count)), shape);
  }
}
