package io.kindred.cli.data;

import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Picture;
import io.kindred.learning.data.audio.SoundFolder;
import io.kindred.learning.data.format.FolderTree;
import io.kindred.learning.data.format.TableFormat;
import io.kindred.learning.data.format.TableReader;
import io.kindred.learning.data.table.TableGuess;
import io.kindred.learning.data.table.TableSource;
import io.kindred.learning.data.text.DocumentFolder;
import io.kindred.learning.data.vision.ImageFolder;
import io.kindred.storage.OperatorException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a file or folder seems to hold, and the settings that would read it.
 *
 * @param settings of the data set, written as in an experiment file
 * @param reasons why settings were chosen that are not the default
 */
public record DataGuess(Kind kind, SequencedMap<String, String> settings, List<String> reasons) {
  private static final int PICTURES_LOOKED_AT = 50;
  private static final int MOST_NAMED_CLASSES = 100;
  private static final String ENDINGS = "endings";
  private static final String WITHOUT_ENDING = "[" + FolderTree.NO_ENDING + "]";
  private static final FolderTree.Kind BARE_TEXTS =
      DocumentFolder.texts(List.of(FolderTree.NO_ENDING));

  /** The forms of data that Kindred reads. */
  public enum Kind {
    PICTURES("images"),
    SOUNDS("sounds"),
    TEXTS("texts"),
    TABLE("table"),
    TENSORS("safetensors");

    private final String source;

    Kind(String source) {
      this.source = source;
    }

    /** The name of the data set in an experiment. */
    public String source() {
      return source;
    }

    /** The files of a folder of this kind; empty for tables and tensors. */
    public Optional<FolderTree.Kind> files() {
      return switch (this) {
        case PICTURES -> Optional.of(ImageFolder.PICTURES);
        case SOUNDS -> Optional.of(SoundFolder.SOUNDS);
        case TEXTS -> Optional.of(DocumentFolder.TEXTS);
        case TABLE, TENSORS -> Optional.empty();
      };
    }
  }

  public DataGuess {
    reasons = List.copyOf(reasons);
  }

  /**
   * Looks at a folder.
   *
   * @param only the only file that counts; empty for all of the folder
   */
  public static DataGuess of(DataFiles files, String folder, Optional<String> only) {
    List<String> names =
        only.map(List::of).orElseGet(() -> files.list(folder, "any file", _ -> true));
    Kind kind = kind(folder, names, only.isPresent());
    SequencedMap<String, String> settings = new LinkedHashMap<>();
    settings.put("name", kind.source());
    settings.put("folder", quoted(folder));
    List<String> reasons = new ArrayList<>();
    switch (kind) {
      case TABLE -> table(files, folder, tables(names), settings, reasons);
      case TENSORS ->
          settings.put(
              "file",
              quoted(
                  names.stream().filter(each -> isKind(Kind.TENSORS, each)).toList().getFirst()));
      case PICTURES -> {
        tree(ImageFolder.PICTURES, names, settings, reasons);
        pictures(files, folder, names, settings, reasons);
      }
      case SOUNDS -> tree(SoundFolder.SOUNDS, names, settings, reasons);
      case TEXTS -> {
        boolean bare = names.stream().noneMatch(DocumentFolder.TEXTS::has);
        if (bare) {
          settings.put(ENDINGS, WITHOUT_ENDING);
          reasons.add("endings: [none], because file names have no ending; texts is a guess");
        }
        tree(bare ? BARE_TEXTS : DocumentFolder.TEXTS, names, settings, reasons);
      }
    }
    return new DataGuess(kind, settings, reasons);
  }

  private static boolean isKind(Kind kind, String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return switch (kind) {
      case PICTURES, SOUNDS, TEXTS -> kind.files().orElseThrow().has(name);
      case TABLE -> TableReader.ENDINGS.contains(ending);
      case TENSORS -> ending.equals("safetensors");
    };
  }

  /** The files of the guess; empty for tables and tensors. */
  Optional<FolderTree.Kind> files() {
    return Optional.ofNullable(settings.get(ENDINGS))
        .map(each -> DocumentFolder.texts(List.of(each.replaceAll("[\\[\\] ]", "").split(",", -1))))
        .or(kind::files);
  }

  /** Raw collections of texts often number their files and give them no ending. */
  private static boolean areBareTexts(List<String> names) {
    return names.stream().anyMatch(each -> each.contains("/") && BARE_TEXTS.has(each));
  }

  private static Kind kind(String folder, List<String> names, boolean single) {
    List<Kind> order =
        single
            ? List.of(Kind.TENSORS, Kind.TABLE)
            : List.of(Kind.TENSORS, Kind.PICTURES, Kind.SOUNDS, Kind.TEXTS, Kind.TABLE);
    TreeMap<Long, Kind> byCount = new TreeMap<>();
    for (Kind kind : order.reversed()) {
      long count = names.stream().filter(each -> isKind(kind, each)).count();
      // A few notes beside a table are no folder of texts.
      boolean flat = kind == Kind.TEXTS && names.stream().noneMatch(each -> each.contains("/"));
      if (count > 0 && !(flat && byCount.containsValue(Kind.TABLE))) {
        byCount.put(count, kind);
      }
    }
    if (byCount.isEmpty() && !single && areBareTexts(names)) {
      return Kind.TEXTS;
    }
    if (byCount.isEmpty()) {
      throw new OperatorException(
          OperatorException.DATA_MISSING,
          folder
              + " holds nothing that Kindred reads, such as "
              + names.getFirst()
              + "; it reads pictures, wav files, text files, tables (csv, tsv, parquet) and"
              + " safetensors");
    }
    return byCount.lastEntry().getValue();
  }

  private static List<String> tables(List<String> names) {
    return names.stream().filter(each -> isKind(Kind.TABLE, each)).toList();
  }

  private static void table(
      DataFiles files,
      String folder,
      List<String> tables,
      SequencedMap<String, String> settings,
      List<String> reasons) {
    Optional<String> test =
        tables.stream()
            .filter(each -> each.toLowerCase(Locale.ROOT).contains("test"))
            .filter(_ -> tables.size() > 1)
            .findFirst();
    String train =
        tables.stream().filter(each -> !test.equals(Optional.of(each))).findFirst().orElseThrow();
    if (tables.size() > (test.isPresent() ? 2 : 1)) {
      reasons.add("train: " + train + ", the first of " + tables.size() + " tables: " + tables);
    }
    test.ifPresent(each -> reasons.add("test: " + each + ", by its name"));
    TableGuess guess = TableGuess.of(files, folder, train, test.orElse(""));
    reasons.addAll(guess.reasons());
    TableSource source = guess.source();
    settings.put("train", quoted(source.train()));
    putIf(settings, "test", source.test());
    if (!source.header()) {
      settings.put("header", "false");
    }
    if (source.decimal() == TableFormat.Decimal.COMMA) {
      settings.put("decimal", "comma");
    }
    if (source.targets().isEmpty()) {
      settings.put("label", quoted(source.label()));
    } else {
      settings.put("targets", list(source.targets()));
    }
    putIf(settings, "user", source.user());
    putIf(settings, "part", source.part());
    if (!source.ignore().isEmpty()) {
      settings.put("ignore", list(source.ignore()));
    }
    if (source.missing() != TableSource.Missing.REFUSE) {
      settings.put("missing", source.missing().name().toLowerCase(Locale.ROOT));
    }
  }

  private static void putIf(SequencedMap<String, String> settings, String key, String value) {
    if (!value.isEmpty()) {
      settings.put(key, quoted(value));
    }
  }

  private static String list(List<String> words) {
    return "[" + String.join(", ", words.stream().map(DataGuess::quoted).toList()) + "]";
  }

  /** A plain word as it is, anything else in quotation marks of YAML. */
  static String quoted(String text) {
    return text.matches("[A-Za-z_./][\\w./-]*")
            && !text.matches("(?i)true|false|null|yes|no|on|off")
        ? text
        : "'" + text.replace("'", "''") + "'";
  }

  /** Which part of a path is the class, and which the user. */
  private static void tree(
      FolderTree.Kind wanted,
      List<String> names,
      SequencedMap<String, String> settings,
      List<String> reasons) {
    List<List<String>> paths =
        withoutParts(
            names.stream().filter(wanted::has).map(each -> List.of(each.split("/", -1))).toList());
    boolean deep = paths.stream().anyMatch(each -> each.size() > 2);
    // A few stray files beside the folders of classes are left out, and named.
    boolean bare = 2 * paths.stream().filter(each -> each.size() < 2).count() > paths.size();
    if (!bare && namesCarryClasses(paths)) {
      settings.put("classes", "name");
      settings.put("users", "first");
      reasons.add(
          "classes: name and users: first, because the files of every folder begin with the same "
              + distinct(paths, DataGuess::prefix)
              + " words; if the folders are the classes, leave both out");
    } else if (deep) {
      settings.put("classes", "path");
      reasons.add(
          "classes: path makes "
              + distinct(paths, each -> String.join("/", each.subList(0, each.size() - 1)))
              + " classes, a guess; first would make "
              + distinct(paths, List::getFirst)
              + ", last "
              + distinct(paths, each -> each.get(each.size() - 2))
              + "; with users: first or users: last the other folder is the user");
    } else if (bare) {
      settings.put("classes", "name");
      reasons.add(
          "classes: name, because files are in no folder of a class: "
              + distinct(paths, DataGuess::prefix)
              + " classes by the beginnings of their names");
    }
  }

  /** Folders that all files share, and the folders of parts, are no classes. */
  private static List<List<String>> withoutParts(List<List<String>> paths) {
    List<List<String>> inner = paths;
    while (inner.stream().allMatch(each -> each.size() > 1)
        && (distinct(inner, List::getFirst) == 1
            || inner.stream().allMatch(each -> FolderTree.part(each.getFirst()).isPresent()))
        && inner.stream().allMatch(each -> each.size() > 2)) {
      inner = inner.stream().map(each -> each.subList(1, each.size())).toList();
    }
    return inner;
  }

  private interface Part {
    String of(List<String> path);
  }

  private static int distinct(List<List<String>> paths, Part part) {
    return new TreeSet<>(paths.stream().map(part::of).toList()).size();
  }

  private static String prefix(List<String> path) {
    return path.getLast().split("[_.-]", 2)[0];
  }

  /** Whether the files of each folder begin with the same few words, several files with each. */
  private static boolean namesCarryClasses(List<List<String>> paths) {
    int prefixes = distinct(paths, DataGuess::prefix);
    int folders = distinct(paths, List::getFirst);
    int pairs = distinct(paths, each -> each.getFirst() + "/" + prefix(each));
    boolean complete = pairs >= 0.9 * prefixes * folders;
    return folders > 1
        && prefixes > 1
        && prefixes <= MOST_NAMED_CLASSES
        && complete
        && paths.size() >= 2 * pairs;
  }

  private static void pictures(
      DataFiles files,
      String folder,
      List<String> names,
      SequencedMap<String, String> settings,
      List<String> reasons) {
    List<String> some =
        names.stream().filter(ImageFolder.PICTURES::has).limit(PICTURES_LOOKED_AT).toList();
    boolean[] coloured = {false};
    int[] damaged = {0};
    files.readAll(
        folder,
        some,
        (index, bytes) -> {
          try {
            Picture picture = files.picture(some.get(index), bytes);
            coloured[0] |= !picture.isGrey();
          } catch (DamagedDataException unreadable) {
            damaged[0]++;
          }
        });
    if (!coloured[0] && damaged[0] < some.size()) {
      settings.put("colour", "false");
      reasons.add(
          "colour: false, because the first " + (some.size() - damaged[0]) + " pictures are grey");
    }
  }
}
