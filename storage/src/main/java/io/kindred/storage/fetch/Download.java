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
 * Fetches one file. The bytes received so far are kept beside the target, with the server's version
 * of the file, and a later call requests only the rest; the file gets its name when it is complete
 * and its digest is right.
 */
public final class Download {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);
  private static final int ATTEMPTS = 4;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int OK = 200;
  private static final int PARTIAL = 206;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  /** Receives the progress of a download. */
  public interface Progress {
    /** A size of -1 is unknown. */
    void begin(String what, long bytes, long already);

    void reached(long bytes);
  }

  /** Where the file is, whether this call fetched it, and what its digest was compared with. */
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

  /** The file in its folder, fetched or found there; in any case its digest was verified. */
  public static Fetched to(Path folder, RemoteFile remoteFile, Progress progress)
      throws IOException {
    Folders.requireWritable(folder);
    Download download = new Download(remoteFile, folder, progress);
    ChecksumVerifier checksumVerifier = new ChecksumVerifier(folder);
    boolean present = Files.exists(download.target);
    if (!present) {
      download.fetchWhole();
    }
    Path whole = present ? download.target : download.part;
    String verification = checksumVerifier.verify(remoteFile, whole);
    if (!present) {
      Files.move(whole, download.target, StandardCopyOption.REPLACE_EXISTING);
      Files.deleteIfExists(download.versionFile);
    }
    return new Fetched(download.target, !present, verification);
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
          // A broken connection is retried at once, but only while bytes still arrive.
          if (attempt >= ATTEMPTS || receivedBytes() <= before) {
            throw unreachable(reason(broken));
          }
          before = receivedBytes();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw unreachable("the download was interrupted");
    }
  }

  /** True when the file is complete, false when the download must start again. */
  private boolean fetchRest(HttpClient client) throws IOException, InterruptedException {
    long received = Files.exists(versionFile) ? receivedBytes() : 0;
    HttpRequest.Builder request = HttpRequest.newBuilder(remoteFile.address());
    if (received > 0) {
      request
          .header("Range", "bytes=" + received + "-")
          .header("If-Range", Files.readString(versionFile));
    }
    HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      switch (response.statusCode()) {
        case OK -> save(body, response.headers(), 0);
        case PARTIAL -> save(body, response.headers(), received);
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
      // Without a version, a later call could not tell whether the rest belongs to the same file.
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
      throw new IOException("the transfer ended after " + done + " of " + whole + " bytes");
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
            ? receivedBytes() + " bytes are kept, and the same command resumes the download; or "
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
