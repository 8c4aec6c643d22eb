package io.kindred.node.trainer;

import io.grpc.Channel;
import io.kindred.core.config.SettingException;
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
 * Starts a trainer as a process of its own. The environment variable {@value #ADDRESS_VARIABLE}
 * tells the process where to listen: at a socket in a folder that only this user can enter. The
 * standard input of the process stays open as long as the node runs, so that a trainer can detect
 * that its node was killed. The output of the process goes to a log beside the node's state.
 */
final class TrainerProcess implements TrainerInstance.Source {
  static final String ADDRESS_VARIABLE = "KINDRED_TRAINER_ADDRESS";

  private static final int POLL_MILLIS = 20;
  private static final int TERMINATION_SECONDS = 5;
  private static final int LOG_TAIL_BYTES = 4_096;

  private final List<String> command;
  private final Path workingDirectory;
  private final Path log;
  private final double startSeconds;
  private final Path folder;
  private int starts;

  TrainerProcess(List<String> command, Path workingDirectory, Path log, double startSeconds) {
    this.command = List.copyOf(command);
    this.workingDirectory = workingDirectory;
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

  @Override
  public TrainerInstance start() {
    Path socket = folder.resolve("socket-" + starts++);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(workingDirectory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put(ADDRESS_VARIABLE, "unix:" + socket);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new SettingException(
          "trainer.command",
          "it cannot be started: " + e.getMessage(),
          "name a program that is there, with its whole path where it is not on the PATH");
    }
    awaitSocket(process, socket);
    TrainerAddress.TrainerConnection trainerConnection =
        new TrainerAddress(UnixDomainSocketAddress.of(socket)).open();
    // When the process ends, calls fail at once instead of waiting for the deadline.
    Future<?> _ = process.onExit().thenRun(() -> trainerConnection.channel().shutdownNow());
    return new ProcessInstance(process, trainerConnection, log);
  }

  private void awaitSocket(Process process, Path socket) {
    long end = System.nanoTime() + (long) (startSeconds * 1e9);
    try {
      while (!Files.exists(socket)) {
        if (!process.isAlive()) {
          throw new TrainerFault(describeExit(process, log) + " before it listened");
        }
        if (System.nanoTime() > end) {
          destroy(process);
          throw new TrainerFault("it did not listen within %s s".formatted(startSeconds));
        }
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      destroy(process);
      Thread.currentThread().interrupt();
      throw new TrainerFault("the node stops");
    }
  }

  /** The exit code of a process and the last line of its log. */
  private static String describeExit(Process process, Path log) {
    String last = lastLine(log);
    return "it ended with code %d%s"
        .formatted(process.exitValue(), last.isEmpty() ? "" : " ('" + last + "')");
  }

  private static String lastLine(Path log) {
    try (SeekableByteChannel file = Files.newByteChannel(log)) {
      file.position(Math.max(0, file.size() - LOG_TAIL_BYTES));
      ByteBuffer tail = ByteBuffer.allocate(LOG_TAIL_BYTES);
      while (tail.hasRemaining() && file.read(tail) >= 0) {
        // Reads on to the end.
      }
      String text = new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> !line.isBlank()).reduce("", (before, line) -> line);
    } catch (IOException e) {
      return "";
    }
  }

  private static void destroy(Process process) {
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

  private record ProcessInstance(
      Process process, TrainerAddress.TrainerConnection connection, Path log)
      implements TrainerInstance {
    @Override
    public Channel channel() {
      return connection.channel();
    }

    @Override
    public Optional<String> exitReason() {
      // The connection may break a moment before the process ends.
      try {
        return process.waitFor(200, TimeUnit.MILLISECONDS)
            ? Optional.of(describeExit(process, log))
            : Optional.empty();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
    }

    @Override
    public void close() {
      connection.close();
      destroy(process);
      try {
        process.waitFor(TERMINATION_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
