package io.kindred.files.fetch;

import io.kindred.files.OperatorException;
import io.kindred.files.disk.Folders;
import io.kindred.files.fetch.Publication.Item;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;

/**
 * Fetches one file. What has come so far is kept beside its place, with the server's mark of that
 * version, and a later call asks for the rest only; the file takes its name when it is whole and
 * its digest is right.
 */
public final class Download {
  private static final Duration CONNECT = Duration.ofSeconds(20);
  private static final int ATTEMPTS = 4;
  private static final int PIECE = 1 << 16;
  private static final int OK = 200;
  private static final int PARTIAL = 206;
  private static final int NOTHING_LEFT = 416;

  /** Is told how far it is. */
  public interface Progress {
    /** A size of -1 is not known. */
    void begin(String what, long bytes, long already);

    void reached(long bytes);
  }

  /** How a file came to be there, and what its digest was compared with. */
  public record Fetched(Path path, boolean fetched, String verdict) {}

  private final Item item;
  private final Path target;
  private final Path part;
  private final Path mark;
  private final Progress progress;

  private Download(Item item, Path folder, Progress progress) {
    this.item = item;
    this.target = folder.resolve(item.name());
    this.part = folder.resolve("." + item.name() + ".part");
    this.mark = folder.resolve("." + item.name() + ".mark");
    this.progress = progress;
  }

  /** The file in its folder, fetched or found there; in any case its digest was looked at. */
  public static Fetched to(Path folder, Item item, Progress progress) throws IOException {
    Folders.requireWritable(folder);
    Download download = new Download(item, folder, progress);
    Ledger ledger = new Ledger(folder);
    boolean there = Files.exists(download.target);
    if (!there) {
      download.fetchWhole();
    }
    Path whole = there ? download.target : download.part;
    String verdict = ledger.check(item, whole);
    if (!there) {
      Files.move(whole, download.target, StandardCopyOption.REPLACE_EXISTING);
      Files.deleteIfExists(download.mark);
    }
    return new Fetched(download.target, !there, verdict);
  }

  private void fetchWhole() throws IOException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build()) {
      long before = -1;
      for (int attempt = 1; ; attempt++) {
        try {
          if (fetchRest(client)) {
            return;
          }
        } catch (IOException broken) {
          // A line that breaks is tried again at once, but only while something still comes.
          if (attempt >= ATTEMPTS || have() <= before) {
            throw unreachable(reason(broken));
          }
          before = have();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw unreachable("it was interrupted");
    }
  }

  /** True when the file is whole, false when it must be begun again. */
  private boolean fetchRest(HttpClient client) throws IOException, InterruptedException {
    long have = Files.exists(mark) ? have() : 0;
    HttpRequest.Builder request = HttpRequest.newBuilder(item.address());
    if (have > 0) {
      request.header("Range", "bytes=" + have + "-").header("If-Range", Files.readString(mark));
    }
    HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      switch (response.statusCode()) {
        case OK -> save(body, response.headers(), 0);
        case PARTIAL -> save(body, response.headers(), have);
        case NOTHING_LEFT -> {
          Files.deleteIfExists(part);
          Files.deleteIfExists(mark);
          return false;
        }
        default -> throw refused(response.statusCode());
      }
    }
    return true;
  }

  private void save(InputStream body, HttpHeaders headers, long from) throws IOException {
    long length = headers.firstValueAsLong("Content-Length").orElse(-1);
    long whole = length < 0 ? -1 : from + length;
    Optional<String> version =
        headers
            .firstValue("ETag")
            .filter(tag -> !tag.startsWith("W/"))
            .or(() -> headers.firstValue("Last-Modified"));
    if (version.isPresent()) {
      Files.writeString(mark, version.get());
    } else {
      // Without a mark nobody could tell later whether the rest belongs to the same file.
      Files.deleteIfExists(mark);
    }
    progress.begin(item.name(), whole, from);
    long done = from;
    try (OutputStream out =
        from > 0
            ? Files.newOutputStream(part, StandardOpenOption.APPEND)
            : Files.newOutputStream(part)) {
      byte[] piece = new byte[PIECE];
      for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
        out.write(piece, 0, count);
        done += count;
        progress.reached(done);
      }
    }
    if (whole >= 0 && done < whole) {
      throw new IOException("it ended after " + done + " of " + whole + " bytes");
    }
  }

  private long have() throws IOException {
    return Files.exists(part) ? Files.size(part) : 0;
  }

  private static String reason(IOException broken) {
    String message = broken.getMessage();
    return message == null || message.isBlank() ? broken.getClass().getSimpleName() : message;
  }

  private OperatorException refused(int status) {
    return new OperatorException(
        OperatorException.DATA_MISSING,
        item.address() + " answers " + status + "; " + byHand(item.address(), target));
  }

  private OperatorException unreachable(String reason) throws IOException {
    String kept = have() > 0 ? have() + " bytes are kept and the same command goes on; or " : "";
    return new OperatorException(
        OperatorException.DATA_MISSING,
        "cannot fetch "
            + item.address()
            + " ("
            + reason
            + "); "
            + kept
            + byHand(item.address(), target));
  }

  private static String byHand(URI address, Path target) {
    return "fetch " + address + " on a machine that can reach it and put it at " + target;
  }
}
