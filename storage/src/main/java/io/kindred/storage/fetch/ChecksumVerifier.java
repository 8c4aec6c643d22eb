package io.kindred.storage.fetch;

import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.fetch.Publication.RemoteFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Verifies files by their digests. Where none is published, the digest of the first download is
 * written into {@code FIRST-DOWNLOAD.sha256} beside the file, and later ones must equal it: that
 * shows a change, not that the first was right.
 */
final class ChecksumVerifier {
  private static final String FILE = "FIRST-DOWNLOAD.sha256";

  private final Path file;

  ChecksumVerifier(Path folder) {
    this.file = folder.resolve(FILE);
  }

  /**
   * Returns what the file was compared with; throws where the digest differs, and leaves the file
   * for inspection.
   */
  String verify(RemoteFile remoteFile, Path content) throws IOException {
    Optional<Checksum> published = remoteFile.checksum();
    if (published.isPresent()) {
      Checksum checksum = published.get();
      String found = digest(checksum.algorithm(), content);
      require(found, checksum.hex(), checksum.algorithm(), checksum.source(), content);
      return checksum.algorithm() + " as published by " + checksum.source();
    }
    String found = digest("SHA-256", content);
    Optional<String> recorded = recorded(remoteFile.name());
    if (recorded.isPresent()) {
      require(found, recorded.get(), "SHA-256", FILE, content);
      return "SHA-256 as recorded at the first download";
    }
    record(remoteFile.name(), found);
    return "no digest is published; its SHA-256 is now recorded in " + FILE;
  }

  private static void require(
      String found, String expected, String algorithm, String source, Path content) {
    if (!found.equals(expected)) {
      throw new OperatorException(
          OperatorException.DATA_MISSING,
          "%s has the %s %s, but %s says %s; remove the file and fetch it again"
              .formatted(content, algorithm, found, source, expected));
    }
  }

  private Optional<String> recorded(String name) throws IOException {
    for (String line : lines()) {
      if (line.endsWith("  " + name)) {
        return Optional.of(line.substring(0, line.indexOf(' ')));
      }
    }
    return Optional.empty();
  }

  private void record(String name, String digest) throws IOException {
    List<String> lines = new ArrayList<>(lines());
    lines.add(digest + "  " + name);
    AtomicFile.writeText(file, String.join("\n", lines) + "\n");
  }

  private List<String> lines() throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static String digest(String algorithm, Path content) throws IOException {
    try (InputStream in = Files.newInputStream(content)) {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      byte[] piece = new byte[1 << 16];
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        digest.update(piece, 0, count);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }
}
