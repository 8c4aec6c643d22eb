package io.kindred.node.audit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Splits a stream into lines, as bytes: the hash of a line is that of its bytes. */
final class LineBytes {
  private final InputStream in;
  private boolean incomplete;

  LineBytes(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  /** The next complete line without its line break; null at the end. */
  byte @Nullable [] next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int read = in.read(); read >= 0; read = in.read()) {
      if (read == '\n') {
        return line.toByteArray();
      }
      line.write(read);
    }
    incomplete = line.size() > 0;
    return null;
  }

  /** Whether the stream ended within a line. */
  boolean incomplete() {
    return incomplete;
  }
}
