package io.kindred.node.trainer;

import io.grpc.Channel;
import io.kindred.core.settings.Complaint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts a trainer as a process of its own. It is told in {@value #ADDRESS} where to listen: a
 * socket in a folder that only this user can enter. Its standard input stays open as long as the
 * node lives, so that a trainer can tell when its node was killed. What it prints goes to a log
 * beside the node's state.
 */
final class TrainerProcess implements TrainerLife.Source {
  static final String ADDRESS = "KINDRED_TRAINER_ADDRESS";

  private static final int MILLIS_BETWEEN_LOOKS = 20;
  private static final int SECONDS_TO_END = 5;
  private static final int MOST_LOG_TAIL = 4_096;

  private final List<String> command;
  private final Path home;
  private final Path log;
  private final double startSeconds;
  private final Path folder;
  private int lives;

  TrainerProcess(List<String> command, Path home, Path log, double startSeconds) {
    this.command = List.copyOf(command);
    this.home = home;
    this.log = log;
    this.startSeconds = startSeconds;
    this.folder = privateFolder();
  }

  /** In the folder for temporary files, because the path of a socket must be short. */
  private static Path privateFolder() {
    try {
      return Files.createTempDirectory("kindred-trainer-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder for the trainer's socket", e);
    }
  }

  /** A file that only this user and the trainer can read. */
  Path file(String name) {
    return folder.resolve(name);
  }

  @Override
  public TrainerLife begin() {
    Path socket = folder.resolve("socket-" + lives++);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put(ADDRESS, "unix:" + socket);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new Complaint(
          "trainer.command",
          "it cannot be started: " + e.getMessage(),
          "name a program that is there, with its whole path where it is not on the PATH");
    }
    awaitSocket(process, socket);
    TrainerAddress.Line line = new TrainerAddress(UnixDomainSocketAddress.of(socket)).open();
    // Whoever waits for an answer of a process that is gone need not wait for the deadline.
    Future<?> _ = process.onExit().thenRun(() -> line.channel().shutdownNow());
    return new Living(process, line, log);
  }

  private void awaitSocket(Process process, Path socket) {
    long end = System.nanoTime() + (long) (startSeconds * 1e9);
    try {
      while (!Files.exists(socket)) {
        if (!process.isAlive()) {
          throw new TrainerFault(end(process, log) + " before it listened");
        }
        if (System.nanoTime() > end) {
          end(process);
          throw new TrainerFault("it did not listen within %s s".formatted(startSeconds));
        }
        Thread.sleep(MILLIS_BETWEEN_LOOKS);
      }
    } catch (InterruptedException e) {
      end(process);
      Thread.currentThread().interrupt();
      throw new TrainerFault("the node stops");
    }
  }

  /** How a process ended, and the last that it said. */
  private static String end(Process process, Path log) {
    String last = lastLine(log);
    return "it ended with code %d%s"
        .formatted(process.exitValue(), last.isEmpty() ? "" : " ('" + last + "')");
  }

  private static String lastLine(Path log) {
    try (SeekableByteChannel file = Files.newByteChannel(log)) {
      file.position(Math.max(0, file.size() - MOST_LOG_TAIL));
      ByteBuffer tail = ByteBuffer.allocate(MOST_LOG_TAIL);
      while (tail.hasRemaining() && file.read(tail) >= 0) {
        // Reads on to the end.
      }
      String text = new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> !line.isBlank()).reduce("", (before, line) -> line);
    } catch (IOException e) {
      return "";
    }
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + folder, e);
    }
  }

  private record Living(Process process, TrainerAddress.Line line, Path log)
      implements TrainerLife {
    @Override
    public Channel channel() {
      return line.channel();
    }

    @Override
    public Optional<String> gone() {
      // The connection may break a moment before the process is gone.
      try {
        return process.waitFor(200, TimeUnit.MILLISECONDS)
            ? Optional.of(end(process, log))
            : Optional.empty();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
    }

    @Override
    public void close() {
      line.close();
      end(process);
      try {
        process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
