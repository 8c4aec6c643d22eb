package io.kindred.storage.disk;

import java.io.IOException;
import java.io.InputStream;

/** The first bytes of another stream, so that a payload's reader never reaches the checksum. */
final class BoundedInputStream extends InputStream {
  private final InputStream inner;
  private long left;

  BoundedInputStream(InputStream inner, long length) {
    this.inner = inner;
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    if (left == 0) {
      return -1;
    }
    int value = inner.read();
    left -= value < 0 ? 0 : 1;
    return value;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (left == 0 && length > 0) {
      return -1;
    }
    int count = inner.read(target, offset, (int) Math.min(length, left));
    left -= Math.max(0, count);
    return count;
  }
}
