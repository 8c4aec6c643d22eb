package io.kindred.experiment;

import io.kindred.runtime.folder.InsufficientMemoryException;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.disk.Folders;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The outcome of a {@link CellJob}, sent back to the submitter. */
public sealed interface CellResult extends Serializable {
  /** A file of the run folder, named relative to that folder. */
  @SuppressWarnings("ArrayRecordComponent") // run files are never compared
  record RunFile(String name, byte[] content) implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** The run is finished. */
  record Finished(List<RunFile> runFiles, List<String> warnings) implements CellResult {
    private static final long serialVersionUID = 1;

    public Finished {
      runFiles = List.copyOf(runFiles);
      warnings = List.copyOf(warnings);
    }

    /**
     * Leaves out checkpoints, which a finished run no longer needs, and plots, which the submitter
     * draws itself.
     */
    static Finished of(RunFolder folder, List<String> warnings) throws IOException {
      List<Path> files = new ArrayList<>(regularFiles(folder.models()));
      files.addAll(
          List.of(folder.config(), folder.environment(), folder.metrics(), folder.rounds()));
      // Not every run writes these files.
      Stream.of(
              folder.data(),
              folder.partition(),
              folder.similarity(),
              folder.hierarchy(),
              folder.explanations(),
              folder.confusion())
          .filter(Files::isRegularFile)
          .forEach(files::add);
      files.add(folder.summary());
      List<RunFile> runFiles = new ArrayList<>();
      for (Path file : files) {
        String name = folder.path().relativize(file).toString().replace('\\', '/');
        runFiles.add(new RunFile(name, Files.readAllBytes(file)));
      }
      return new Finished(runFiles, warnings);
    }
  }

  /** The run failed for a reason that does not depend on the worker. */
  record Failed(String reason) implements CellResult {
    private static final long serialVersionUID = 1;
  }

  /** The run did not fit into the worker's memory. */
  record InsufficientMemory(String reason) implements CellResult {
    private static final long serialVersionUID = 1;
  }

  /**
   * Writes the files into the run folder. The summary comes last and a run without a summary counts
   * as unfinished, so an interrupted unpack costs only time.
   */
  default void unpack(RunFolder folder, Consumer<String> warn) throws IOException {
    switch (this) {
      case Failed(String reason) -> throw new OperatorException(OperatorException.FAILED, reason);
      case InsufficientMemory(String reason) -> throw new InsufficientMemoryException(reason);
      case Finished(List<RunFile> runFiles, List<String> warnings) -> {
        // Checkpoints of an earlier attempt cover a shorter history than these metrics.
        folder.deleteCheckpoints();
        warnings.forEach(warn);
        Folders.requireWritable(folder.models());
        for (RunFile runFile : runFiles) {
          AtomicFile.write(folder.path().resolve(runFile.name()), runFile.content());
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
