package io.kindred.storage.fetch;

import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.Folders;
import io.kindred.storage.fetch.Publication.RemoteFile;
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
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);
  private static final int ATTEMPTS = 4;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int OK = 200;
  private static final int PARTIAL = 206;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  /** Is told how far it is. */
  public interface Progress {
    /** A size of -1 is not known. */
    void begin(String what, long bytes, long already);

    void reached(long bytes);
  }

  /** How a file came to be there, and what its digest was compared with. */
  public record Fetched(Path path, boolean fetched, String verification) {}

  private final RemoteFile remoteFile;
  private final Path target;
  private final Path part;
  private final Path versionFile;
  private final Progress progress;

  private Download(RemoteFile remoteFile, Path folder, Progress progress) {
    this.remoteFile = remoteFile;
    this.target = folder.resolve(remoteFile.name());
    this.part = folder.resolve("." + remoteFile.name() + ".part");
    this.versionFile = folder.resolve("." + remoteFile.name() + ".mark");
    this.progress = progress;
  }

  /** The file in its folder, fetched or found there; in any case its digest was looked at. */
  public static Fetched to(Path folder, RemoteFile remoteFile, Progress progress)
      throws IOException {
    Folders.requireWritable(folder);
    Download download = new Download(remoteFile, folder, progress);
    ChecksumVerifier checksumVerifier = new ChecksumVerifier(folder);
    boolean there = Files.exists(download.target);
    if (!there) {
      download.fetchWhole();
    }
    Path whole = there ? download.target : download.part;
    String verdict = checksumVerifier.verify(remoteFile, whole);
    if (!there) {
      Files.move(whole, download.target, StandardCopyOption.REPLACE_EXISTING);
      Files.deleteIfExists(download.versionFile);
    }
    return new Fetched(download.target, !there, verdict);
  }

  private void fetchWhole() throws IOException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
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
          if (attempt >= ATTEMPTS || receivedBytes() <= before) {
            throw unreachable(reason(broken));
          }
          before = receivedBytes();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw unreachable("it was interrupted");
    }
  }

  /** True when the file is whole, false when it must be begun again. */
  private boolean fetchRest(HttpClient client) throws IOException, InterruptedException {
    long have = Files.exists(versionFile) ? receivedBytes() : 0;
    HttpRequest.Builder request = HttpRequest.newBuilder(remoteFile.address());
    if (have > 0) {
      request
          .header("Range", "bytes=" + have + "-")
          .header("If-Range", Files.readString(versionFile));
    }
    HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      switch (response.statusCode()) {
        case OK -> save(body, response.headers(), 0);
        case PARTIAL -> save(body, response.headers(), have);
        case RANGE_NOT_SATISFIABLE -> {
          Files.deleteIfExists(part);
          Files.deleteIfExists(versionFile);
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
      Files.writeString(versionFile, version.get());
    } else {
      // Without a mark nobody could tell later whether the rest belongs to the same file.
      Files.deleteIfExists(versionFile);
    }
    progress.begin(remoteFile.name(), whole, from);
    long done = from;
    try (OutputStream out =
        from > 0
            ? Files.newOutputStream(part, StandardOpenOption.APPEND)
            : Files.newOutputStream(part)) {
      byte[] piece = new byte[BUFFER_BYTES];
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

  private long receivedBytes() throws IOException {
    return Files.exists(part) ? Files.size(part) : 0;
  }

  private static String reason(IOException broken) {
    String message = broken.getMessage();
    return message == null || message.isBlank() ? broken.getClass().getSimpleName() : message;
  }

  private OperatorException refused(int status) {
    return new OperatorException(
        OperatorException.DATA_MISSING,
        remoteFile.address()
            + " answers "
            + status
            + "; "
            + manualInstructions(remoteFile.address(), target));
  }

  private OperatorException unreachable(String reason) throws IOException {
    String kept =
        receivedBytes() > 0
            ? receivedBytes() + " bytes are kept and the same command goes on; or "
            : "";
    return new OperatorException(
        OperatorException.DATA_MISSING,
        "cannot fetch "
            + remoteFile.address()
            + " ("
            + reason
            + "); "
            + kept
            + manualInstructions(remoteFile.address(), target));
  }

  private static String manualInstructions(URI address, Path target) {
    return "fetch " + address + " on a machine that can reach it and put it at " + target;
  }
}
