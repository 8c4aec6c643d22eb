package io.kindred.node.audit;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.kindred.core.weights.Digest;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.WireOutput;
import io.kindred.storage.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One line of the log.
 *
 * @param number the first line has number 1
 * @param signature of a line that signs all lines before it, in base 64
 * @param previous SHA-256 of the line before, without its line break
 */
record AuditLine(
    long number,
    String time,
    @JsonUnwrapped AuditEntry entry,
    @Nullable String signature,
    String previous) {
  /** Event of a line that signs the lines before it. */
  static final String SIGNED = "signed";

  /** The hash that the first line names. */
  static final String NO_LINE = "0".repeat(2 * Digest.BYTES);

  private static final String PURPOSE = "kindred audit 1";

  String text() {
    return Json.line(this);
  }

  static String hash(byte[] line) {
    return Digest.of(line).hex();
  }

  /** What the signature of a line covers; the hash of the line before stands for all others. */
  static byte[] signedContent(Member member, long number, String time, String previous) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeBytes(PURPOSE.getBytes(StandardCharsets.US_ASCII));
    out.writeText(member.uri());
    out.writeLong(number);
    out.writeText(time);
    out.writeText(previous);
    return out.toBytes();
  }
}
