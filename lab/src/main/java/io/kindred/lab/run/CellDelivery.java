package io.kindred.lab.run;

import io.kindred.files.OperatorException;
import io.kindred.files.disk.AtomicFile;
import io.kindred.files.disk.Folders;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What comes back for a {@link CellOrder}. */
public sealed interface CellDelivery extends Serializable {
  /** A file of the run folder, by its name within. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares parts
  record Part(String name, byte[] content) implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** The run is finished. */
  record Finished(List<Part> parts, List<String> warnings) implements CellDelivery {
    private static final long serialVersionUID = 1;

    public Finished {
      parts = List.copyOf(parts);
      warnings = List.copyOf(warnings);
    }

    /** Checkpoints are of no more use, and pictures are drawn where they will be looked at. */
    static Finished of(RunFolder folder, List<String> warnings) throws IOException {
      List<Path> files = new ArrayList<>(regularFiles(folder.models()));
      files.addAll(
          List.of(folder.config(), folder.environment(), folder.metrics(), folder.rounds()));
      // Not every run has these.
      Stream.of(folder.partition(), folder.similarity(), folder.hierarchy())
          .filter(Files::isRegularFile)
          .forEach(files::add);
      files.add(folder.summary());
      List<Part> parts = new ArrayList<>();
      for (Path file : files) {
        String name = folder.path().relativize(file).toString().replace('\\', '/');
        parts.add(new Part(name, Files.readAllBytes(file)));
      }
      return new Finished(parts, warnings);
    }
  }

  /** The run failed as it would anywhere. */
  record Failed(String reason) implements CellDelivery {
    private static final long serialVersionUID = 1;
  }

  /** The run did not fit into the memory there. */
  record NoRoom(String reason) implements CellDelivery {
    private static final long serialVersionUID = 1;
  }

  /**
   * Puts the run where it belongs. The summary is the last part, and a run without it counts as not
   * finished, so nothing is lost but time where this is cut short.
   */
  default void unpack(RunFolder folder, Consumer<String> warn) throws IOException {
    switch (this) {
      case Failed(String reason) -> throw new OperatorException(OperatorException.FAILED, reason);
      case NoRoom(String reason) -> throw new NoRoomException(reason);
      case Finished(List<Part> parts, List<String> warnings) -> {
        // Whatever an earlier attempt left is of a shorter history than these metrics.
        folder.forgetCheckpoints();
        warnings.forEach(warn);
        Folders.requireWritable(folder.models());
        for (Part part : parts) {
          AtomicFile.write(folder.path().resolve(part.name()), part.content());
        }
      }
    }
  }

  private static List<Path> regularFiles(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
