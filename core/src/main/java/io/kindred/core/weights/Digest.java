package io.kindred.core.weights;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 value that can be compared, sorted and used as a key. */
public record Digest(long a, long b, long c, long d) implements Comparable<Digest> {
  public static final int BYTES = 32;

  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  public static Digest of(byte[] bytes) {
    return ofHash(sha256().digest(bytes));
  }

  /** Wraps the 32 bytes that a SHA-256 computation gave. */
  public static Digest ofHash(byte[] hash) {
    ByteBuffer buffer = ByteBuffer.wrap(hash);
    return new Digest(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(a).putLong(b).putLong(c).putLong(d).array();
  }

  public String hex() {
    return HexFormat.of().formatHex(bytes());
  }

  @Override
  public int compareTo(Digest other) {
    int first = Long.compareUnsigned(a, other.a);
    if (first != 0) {
      return first;
    }
    int second = Long.compareUnsigned(b, other.b);
    if (second != 0) {
      return second;
    }
    int third = Long.compareUnsigned(c, other.c);
    return third != 0 ? third : Long.compareUnsigned(d, other.d);
  }

  @Override
  public String toString() {
    return hex().substring(0, 12);
  }
}
