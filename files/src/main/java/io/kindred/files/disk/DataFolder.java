package io.kindred.files.disk;

import io.kindred.files.OperatorException;
import io.kindred.learning.data.DataFiles;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Data sets in a folder, one folder each, files as they were published, plain or gzipped. */
public final class DataFolder implements DataFiles {
  private final Optional<Path> folder;

  /** No folder at all means that only data that are drawn can be had. */
  public DataFolder(Optional<Path> folder) {
    this.folder = folder;
  }

  @Override
  public boolean has(String set, String file) {
    return find(set, file).isPresent();
  }

  private Optional<Path> find(String set, String file) {
    return folder
        .map(root -> root.resolve(set))
        .flatMap(
            place ->
                Optional.of(place.resolve(file))
                    .filter(Files::isRegularFile)
                    .or(
                        () ->
                            Optional.of(place.resolve(file + ".gz")).filter(Files::isRegularFile)));
  }

  @Override
  public byte[] read(String set, String file) {
    Path path = find(set, file).orElseThrow(() -> missing(set, file));
    try (InputStream in = open(path)) {
      return in.readAllBytes();
    } catch (EOFException | ZipException damaged) {
      throw new OperatorException(
          OperatorException.DATA_MISSING,
          path + " is damaged (" + damaged.getMessage() + "); fetch it again");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  private static InputStream open(Path path) throws IOException {
    InputStream in = Files.newInputStream(path);
    return path.toString().endsWith(".gz") ? new GZIPInputStream(in, 1 << 16) : in;
  }

  private OperatorException missing(String set, String file) {
    String where =
        folder
            .map(root -> "looked for " + root.resolve(set).resolve(file) + "[.gz]")
            .orElse("no data folder is named");
    return new OperatorException(
        OperatorException.DATA_MISSING,
        "data set "
            + set
            + " is not there ("
            + where
            + "); put its original files into a folder "
            + set
            + " and name the folder above it with --data-dir or KINDRED_DATA");
  }
}
