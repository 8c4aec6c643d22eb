package io.kindred.storage.disk;

import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Picture;
import io.kindred.learning.data.RawTable;
import io.kindred.storage.OperatorException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Data sets in a folder, one folder each, as they were published: files plain or gzipped, in
 * folders of their own or in the archive that was downloaded. Unpacked files take precedence over
 * archived ones.
 */
public final class DataFolder implements DataFiles {
  private static final String GZIP = ".gz";

  private final Optional<Path> folder;

  /** The names in each archive, cached because reading through one takes seconds. */
  private final Map<Path, List<String>> archiveEntries = new ConcurrentHashMap<>();

  /** Without a folder, only generated data sets are available, and own data by their path. */
  public DataFolder(Optional<Path> folder) {
    this.folder = folder;
  }

  @Override
  public boolean has(String set, String file) {
    return find(set, file).isPresent() || !matching(set, name -> hasFileName(name, file)).isEmpty();
  }

  @Override
  public byte[] read(String set, String file) {
    Optional<Path> path = find(set, file);
    if (path.isPresent()) {
      return content(path.get());
    }
    List<String> names = matching(set, name -> hasFileName(name, file));
    if (names.isEmpty()) {
      throw missing(set, file);
    }
    List<byte[]> found = new ArrayList<>();
    readAll(set, List.of(names.getFirst()), (index, bytes) -> found.add(bytes));
    return found.getFirst();
  }

  @Override
  public List<String> list(String set, String what, Predicate<String> wanted) {
    List<String> names = matching(set, wanted);
    if (names.isEmpty()) {
      throw missing(set, what);
    }
    return names;
  }

  @Override
  public boolean anyOf(String set, Predicate<String> wanted) {
    return !matching(set, wanted).isEmpty();
  }

  /** Files beside the ones that are read, hidden ones included, and archives that are not read. */
  @Override
  public List<String> others(String set, Predicate<String> wanted) {
    List<String> used = matching(set, wanted);
    Path root = datasetFolder(set);
    NavigableSet<String> others = new TreeSet<>();
    boolean archived = !used.isEmpty() && find(set, used.getFirst()).isEmpty();
    for (Path file : everyFile(root)) {
      String name = nameIn(root, file);
      if (archived && Archive.isArchive(file) && entries(file).contains(used.getFirst())) {
        entries(file).stream().filter(wanted.negate()).forEach(others::add);
      } else if (Collections.binarySearch(used, name) < 0) {
        others.add(name);
      }
    }
    return List.copyOf(others);
  }

  @Override
  public void readAll(String set, List<String> names, Visitor visitor) {
    List<String> packed = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Optional<Path> path = find(set, names.get(i));
      if (path.isPresent()) {
        visitor.visit(i, content(path.get()));
      } else {
        packed.add(names.get(i));
      }
    }
    if (!packed.isEmpty()) {
      readPacked(set, names, packed, visitor);
    }
  }

  @Override
  public RawTable parquet(String file, byte[] bytes) {
    Optional<ParquetDecoder> decoder = ServiceLoader.load(ParquetDecoder.class).findFirst();
    return decoder.isPresent()
        ? decoder.get().decode(file, bytes)
        : DataFiles.super.parquet(file, bytes);
  }

  @Override
  public Picture picture(String file, byte[] bytes) {
    return Pictures.decode(file, bytes);
  }

  /** All packed names come from one archive, since only one archive is ever listed. */
  private void readPacked(String set, List<String> names, List<String> packed, Visitor visitor) {
    for (Path archive : archives(set)) {
      if (!entries(archive).contains(packed.getFirst())) {
        continue;
      }
      Archive.forEachEntry(
          archive,
          (name, content) -> {
            if (Collections.binarySearch(packed, name) >= 0) {
              visitor.visit(Collections.binarySearch(names, name), content.read());
            }
          });
      return;
    }
    throw missing(set, packed.getFirst());
  }

  /** The unpacked files, or else those of the first archive that has any. */
  private List<String> matching(String set, Predicate<String> wanted) {
    List<String> unpacked =
        files(set).stream()
            .filter(path -> !Archive.isArchive(path))
            .map(path -> nameIn(datasetFolder(set), path))
            .filter(wanted)
            .distinct()
            .sorted()
            .toList();
    if (!unpacked.isEmpty()) {
      return unpacked;
    }
    return archives(set).stream()
        .map(archive -> entries(archive).stream().filter(wanted).distinct().sorted().toList())
        .filter(names -> !names.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  private List<String> entries(Path archive) {
    return archiveEntries.computeIfAbsent(
        archive,
        path -> {
          List<String> names = new ArrayList<>();
          Archive.forEachEntry(path, (name, content) -> names.add(name));
          return List.copyOf(names);
        });
  }

  private List<Path> archives(String set) {
    return files(set).stream().filter(Archive::isArchive).toList();
  }

  /** Every file below the data set's folder except hidden ones, in order of name. */
  private List<Path> files(String set) {
    Path root = datasetFolder(set);
    return everyFile(root).stream()
        .filter(path -> !nameIn(root, path).matches("(.*/)?\\..*|__MACOSX/.*"))
        .toList();
  }

  private static List<Path> everyFile(Path root) {
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + root, e);
    }
  }

  private static String nameIn(Path root, Path path) {
    return Archive.plainName(root.relativize(path).toString().replace('\\', '/'));
  }

  private static boolean hasFileName(String name, String file) {
    return name.equals(file) || name.endsWith("/" + file);
  }

  /** Below the data folder where there is such a folder, else the name as a path of its own. */
  private Path datasetFolder(String set) {
    return folder
        .map(root -> root.resolve(set))
        .filter(path -> Files.isDirectory(path) || !Files.isDirectory(Path.of(set)))
        .orElse(Path.of(set));
  }

  private Optional<Path> find(String set, String file) {
    Path path = datasetFolder(set).resolve(file);
    return Stream.of(path, path.resolveSibling(path.getFileName() + GZIP))
        .filter(Files::isRegularFile)
        .findFirst();
  }

  private static byte[] content(Path path) {
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
    return path.toString().endsWith(GZIP) ? new GZIPInputStream(in, 1 << 16) : in;
  }

  private OperatorException missing(String set, String file) {
    String where =
        folder.isPresent() || Files.isDirectory(Path.of(set))
            ? "looked for " + datasetFolder(set).resolve(file) + "[.gz]"
            : "no data folder is named";
    return new OperatorException(
        OperatorException.DATA_MISSING,
        "data set "
            + set
            + " is missing ("
            + where
            + "); put its original files into a folder "
            + set
            + " and name the parent of that folder with --data-dir or KINDRED_DATA");
  }
}
