package io.kindred.node.command;

import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.audio.OwnSounds;
import io.kindred.learning.data.audio.SoundFolder;
import io.kindred.learning.data.format.OwnTable;
import io.kindred.learning.data.format.OwnTensors;
import io.kindred.learning.data.own.OwnSource;
import io.kindred.learning.data.text.DocumentFolder;
import io.kindred.learning.data.text.OwnTexts;
import io.kindred.learning.data.vision.ImageFolder;
import io.kindred.learning.data.vision.OwnPictures;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.DataFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a table is read; other kinds of data need no options. */
final class OwnDataOptions {
  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      defaultValue = "label",
      description = "of a table: the column of the class (default: label)")
  private String label;

  @Option(
      names = "--ignore",
      paramLabel = "COLUMNS",
      split = ",",
      description = "of a table: columns to leave out, separated by commas")
  private @Nullable List<String> ignore;

  @Option(
      names = "--separator",
      paramLabel = "CHARACTER",
      defaultValue = ",",
      description = "of a table: the character between two values (default: a comma)")
  private String separator;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  OwnDataOptions() {}

  /**
   * A folder holds what most of its files are: pictures, sounds or texts. A file with the ending of
   * tensors holds tensors, any other a table.
   */
  OwnSource source(Path path) {
    if (!Files.exists(path)) {
      throw new OperatorException(
          OperatorException.DATA_MISSING,
          "there is no "
              + path
              + "; name a table, a folder of pictures, sounds or texts, or a safetensors file");
    }
    String name = String.valueOf(path.toAbsolutePath().normalize().getFileName());
    if (Files.isDirectory(path)) {
      return folder(path, name);
    }
    return name.endsWith(".safetensors")
        ? new OwnTensors(name)
        : new OwnTable(name, label, ignore == null ? List.of() : ignore, separator);
  }

  private static OwnSource folder(Path path, String name) {
    long sounds;
    long texts;
    long pictures;
    try (Stream<Path> walked = Files.walk(path)) {
      List<String> files = walked.filter(Files::isRegularFile).map(Path::toString).toList();
      sounds = files.stream().filter(SoundFolder.SOUNDS::has).count();
      texts = files.stream().filter(DocumentFolder.TEXTS::has).count();
      pictures = files.stream().filter(ImageFolder.PICTURES::has).count();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
    if (sounds > Math.max(texts, pictures)) {
      return new OwnSounds(name);
    }
    return texts > pictures ? new OwnTexts(name) : new OwnPictures(name);
  }

  /** The folder that the data are in. */
  DataFiles files(Path path) {
    return new DataFolder(Optional.ofNullable(path.toAbsolutePath().normalize().getParent()));
  }
}
