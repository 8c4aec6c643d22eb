package io.kindred.storage.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kindred.storage.OperatorException;
import io.kindred.storage.fetch.Publication.RemoteFile;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadTest {
  private static final byte[] CONTENT = new byte[300_000];

  static {
    for (int i = 0; i < CONTENT.length; i++) {
      CONTENT[i] = (byte) (i * 31 + i / 251);
    }
  }

  @TempDir private Path folder;
  private HttpServer server;
  private final List<String> ranges = new ArrayList<>();
  private final List<Long> seen = new ArrayList<>();
  private String version = "\"one\"";
  private int breakAfter = Integer.MAX_VALUE;
  private int breaks;

  private final Download.Progress progress =
      new Download.Progress() {
        @Override
        public void begin(String what, long bytes, long already) {
          seen.add(already);
        }

        @Override
        public void reached(long bytes) {
          seen.add(bytes);
        }
      };

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/files/data.bin", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** Serves ranges of the version that the caller knows, and breaks off where a test wants it. */
  private void answer(HttpExchange exchange) throws IOException {
    String range = exchange.getRequestHeaders().getFirst("Range");
    ranges.add(String.valueOf(range));
    boolean same = version.equals(exchange.getRequestHeaders().getFirst("If-Range"));
    int from = range != null && same ? Integer.parseInt(range.replaceAll("\\D", "")) : 0;
    exchange.getResponseHeaders().set("ETag", version);
    if (from >= CONTENT.length) {
      exchange.sendResponseHeaders(416, -1);
      exchange.close();
      return;
    }
    exchange.sendResponseHeaders(from > 0 ? 206 : 200, CONTENT.length - from);
    OutputStream out = exchange.getResponseBody();
    boolean breaking = breaks > 0;
    breaks--;
    int to = breaking ? Math.min(CONTENT.length, from + breakAfter) : CONTENT.length;
    out.write(CONTENT, from, to - from);
    out.flush();
    if (!breaking) {
      out.close();
    }
    exchange.close();
  }

  private URI address() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + "/files/data.bin");
  }

  private RemoteFile item(Optional<Checksum> checksum) {
    return new RemoteFile(address(), "data.bin", checksum);
  }

  private static Checksum checksum(String hex) {
    return new Checksum("SHA-256", hex, "the authors");
  }

  private static String digest() throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(CONTENT));
  }

  private Download.Fetched fetch(Optional<Checksum> checksum) throws IOException {
    return Download.to(folder, item(checksum), progress);
  }

  @Test
  void aWholeFileIsFetchedCheckedAndNotFetchedAgain() throws Exception {
    Download.Fetched first = fetch(Optional.of(checksum(digest())));
    assertThat(first.fetched()).isTrue();
    assertThat(first.verification()).isEqualTo("SHA-256 as published by the authors");
    assertThat(Files.readAllBytes(folder.resolve("data.bin"))).isEqualTo(CONTENT);
    assertThat(seen).startsWith(0L).endsWith((long) CONTENT.length).isSorted();
    assertThat(fetch(Optional.of(checksum(digest()))).fetched()).isFalse();
    assertThat(ranges).hasSize(1);
    try (var left = Files.list(folder)) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void aBrokenLineIsGoneOnWithWhereItBroke() throws Exception {
    breaks = 2;
    breakAfter = 100_000;
    fetch(Optional.of(checksum(digest())));
    assertThat(ranges).hasSize(3);
    assertThat(ranges.get(0)).isEqualTo("null");
    assertThat(ranges.get(2)).startsWith("bytes=");
    assertThat(Files.readAllBytes(folder.resolve("data.bin"))).isEqualTo(CONTENT);
  }

  @Test
  void whatALastCallLeftIsResumed() throws Exception {
    Files.write(folder.resolve(".data.bin.part"), Arrays.copyOf(CONTENT, 123_456));
    Files.writeString(folder.resolve(".data.bin.mark"), version);
    fetch(Optional.of(checksum(digest())));
    assertThat(ranges).containsExactly("bytes=123456-");
    assertThat(seen.getFirst()).isEqualTo(123_456);
    assertThat(Files.readAllBytes(folder.resolve("data.bin"))).isEqualTo(CONTENT);
  }

  @Test
  void aFileThatChangedOnTheServerIsBegunAgain() throws Exception {
    Files.write(folder.resolve(".data.bin.part"), new byte[1000]);
    Files.writeString(folder.resolve(".data.bin.mark"), "\"older\"");
    fetch(Optional.of(checksum(digest())));
    assertThat(Files.readAllBytes(folder.resolve("data.bin"))).isEqualTo(CONTENT);
    // A partial file that is longer than the server's file is no part of it.
    Files.delete(folder.resolve("data.bin"));
    Files.write(folder.resolve(".data.bin.part"), new byte[CONTENT.length + 1]);
    Files.writeString(folder.resolve(".data.bin.mark"), version);
    fetch(Optional.of(checksum(digest())));
    assertThat(Files.readAllBytes(folder.resolve("data.bin"))).isEqualTo(CONTENT);
  }

  @Test
  void aWrongDigestIsRefusedWithBothAndTheirSource() throws Exception {
    String wrong = "0".repeat(64);
    assertThatThrownBy(() -> fetch(Optional.of(checksum(wrong))))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("has the SHA-256 " + digest() + ", but the authors says " + wrong);
    assertThat(folder.resolve("data.bin")).doesNotExist();
  }

  @Test
  void anUnpublishedDigestIsRecordedAtTheFirstDownload() throws Exception {
    assertThat(fetch(Optional.empty()).verification()).contains("no digest is published");
    assertThat(folder.resolve("FIRST-DOWNLOAD.sha256")).hasContent(digest() + "  data.bin");
    assertThat(fetch(Optional.empty()).verification())
        .isEqualTo("SHA-256 as recorded at the first download");
    Files.write(folder.resolve("data.bin"), new byte[] {1});
    assertThatThrownBy(() -> fetch(Optional.empty()))
        .hasMessageContaining("but FIRST-DOWNLOAD.sha256 says " + digest());
  }

  @Test
  void anAbsentFileAndAnUnreachableServerSayWhatToPutWhere() {
    URI absent = URI.create(address().toString().replace("data.bin", "other.bin"));
    RemoteFile other = new RemoteFile(absent, "other.bin", Optional.empty());
    assertThatThrownBy(() -> Download.to(folder, other, progress))
        .hasMessageContaining(absent + " answers 404")
        .hasMessageEndingWith("put it at " + folder.resolve("other.bin"));
    server.stop(0);
    assertThatThrownBy(() -> fetch(Optional.empty()))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("cannot fetch " + address())
        .hasMessageEndingWith("put it at " + folder.resolve("data.bin"))
        .extracting(failure -> ((OperatorException) failure).exitCode())
        .isEqualTo(OperatorException.DATA_MISSING);
  }

  @Test
  void aLineThatBreaksWithoutBringingMoreIsGivenUpAndKeepsWhatCame() {
    breaks = 100;
    breakAfter = 0;
    assertThatThrownBy(() -> fetch(Optional.empty()))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("cannot fetch ");
    assertThat(ranges.size()).isLessThan(5);
  }

  @Test
  void publishedSetsAreNamedOnceAndTheirDigestsAreWellFormed() {
    assertThat(Publications.ALL).extracting(Publication::dataset).doesNotHaveDuplicates();
    for (Publication each : Publications.ALL) {
      assertThat(each.files().isEmpty()).isEqualTo(!each.manualInstructions().isEmpty());
      for (RemoteFile remoteFile : each.files()) {
        remoteFile
            .checksum()
            .ifPresent(
                checksum ->
                    assertThat(checksum.hex())
                        .matches(
                            checksum.algorithm().equals("MD5") ? "[0-9a-f]{32}" : "[0-9a-f]{64}"));
      }
    }
    RemoteFile moved = Publications.find("shakespeare").orElseThrow().files().getFirst();
    assertThat(moved.mirroredAt(URI.create("http://mirror/s")).address())
        .hasToString("http://mirror/s/tinyshakespeare-input.txt");
  }
}
