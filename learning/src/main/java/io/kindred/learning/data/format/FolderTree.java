package io.kindred.learning.data.format;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.StratifiedSplit;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.UnusedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Samples as files in folders that name their classes. Folders {@code train} and {@code test} above
 * all others, or folders whose names end with these words, are the parts, if they exist; otherwise
 * a share of every class is drawn for the test.
 *
 * @param users the names of users in alphabetical order; empty if no rule names them
 * @param samples in the order of their files
 * @param rules what the rules made of the tree, in words
 */
public record FolderTree(
    List<String> classes,
    List<String> users,
    List<Sample> samples,
    List<UnusedFile> unused,
    List<String> rules) {
  /** In a list of endings, the names that have none. */
  public static final String NO_ENDING = "none";

  private static final int MOST_NAMED = 5;

  /** The class of a file. */
  public enum ClassRule {
    /** The only folder above the file; a deeper tree is refused. */
    AUTO,
    /** All folders together, such as Greek/alpha. */
    PATH,
    /** The first folder. */
    FIRST,
    /** The folder that holds the file. */
    LAST,
    /** The beginning of the file's name, up to the first _, - or point. */
    NAME
  }

  /** The user of a file. */
  public enum UserRule {
    /** Nobody knows. */
    NONE,
    /** The first folder, which then names no class. */
    FIRST,
    /** The folder that holds the file, which then names no class. */
    LAST,
    /** The beginning of the file's name, up to the first _, - or point. */
    NAME
  }

  /** How a tree is read. */
  public record Rules(ClassRule classes, UserRule users, double testShare) {}

  /**
   * The files that can be samples.
   *
   * @param what in the singular with its article, such as "a picture"
   * @param endings of their names in lower case, without the point; {@link #NO_ENDING} for names
   *     without a point
   */
  public record Kind(String what, List<String> endings) {
    public Kind {
      endings = List.copyOf(endings);
    }

    /** Whether a file's name has one of the endings. */
    public boolean has(String file) {
      String ending = ending(file);
      return endings.contains(ending.isEmpty() ? NO_ENDING : ending);
    }

    private String pattern() {
      return "CLASS/*" + (endings.getFirst().equals(NO_ENDING) ? "" : "." + endings.getFirst());
    }

    private static String ending(String file) {
      String name = file.substring(file.lastIndexOf('/') + 1);
      int point = name.lastIndexOf('.');
      return point < 0 ? "" : name.substring(point + 1).toLowerCase(Locale.ROOT);
    }

    private String reason(String file) {
      if (("/" + file).contains("/.") || file.startsWith("__MACOSX/")) {
        return "hidden";
      }
      String ending = ending(file);
      return "not " + what + (ending.isEmpty() ? "" : " (." + ending + ")");
    }
  }

  /** One file; {@code user} is -1 if users are unknown. */
  public record Sample(String file, int label, int user, boolean test) {}

  /** A file with its folders below those that all files share. */
  private record Placed(String file, List<String> folders, boolean test) {
    private Placed inner(int from, int to) {
      return new Placed(file, folders.subList(from, to), test);
    }

    private String name() {
      String name = file.substring(file.lastIndexOf('/') + 1);
      return name.split("[_.-]", 2)[0];
    }
  }

  public FolderTree {
    classes = List.copyOf(classes);
    users = List.copyOf(users);
    samples = List.copyOf(samples);
    unused = List.copyOf(unused);
    rules = List.copyOf(rules);
  }

  /**
   * Lists the files of a folder and finds the class, part and user of each.
   *
   * @param given a task whose classes the files must have
   */
  public static FolderTree read(
      DataFiles files,
      String folder,
      Kind kind,
      Rules rules,
      RandomStreams streams,
      Optional<TaskDescription> given) {
    List<String> others = files.others(folder, kind::has);
    if (!others.isEmpty()) {
      requireAny(files, folder, kind, others);
    }
    List<UnusedFile> unused = new ArrayList<>();
    others.forEach(each -> unused.add(new UnusedFile(each, kind.reason(each))));
    List<Placed> placed =
        files.list(folder, kind.pattern(), kind::has).stream()
            .map(file -> new Placed(file, foldersOf(file), false))
            .toList();
    boolean classInFolders = rules.classes != ClassRule.NAME;
    boolean userInFolders = rules.users == UserRule.FIRST || rules.users == UserRule.LAST;
    int needed = (classInFolders ? 1 : 0) + (userInFolders ? 1 : 0);
    placed = withoutCommonFolders(placed, needed);
    boolean parts = hasPart(placed, "train") && hasPart(placed, "test");
    if (!parts && hasPart(placed, "test")) {
      throw new DamagedDataException(
          folder,
          "its folders",
          "there is a folder 'test' but no folder 'train' beside it; put the other classes into a"
              + " folder 'train', or rename 'test' if it is a class");
    }
    List<String> facts = new ArrayList<>();
    facts.add(division(placed, parts, rules.testShare));
    if (parts) {
      placed = splitParts(placed, unused);
    }
    List<String> userNames = new ArrayList<>();
    List<Placed> kept = new ArrayList<>();
    for (Placed each : placed) {
      if (each.folders.size() < needed) {
        unused.add(new UnusedFile(each.file, "in no folder of a class"));
      } else {
        userNames.add(user(each, rules.users));
        kept.add(withoutUser(each, rules.users));
      }
    }
    requireFolders(folder, kept, unused);
    requireRule(folder, kept, rules.classes);
    List<String> names = kept.stream().map(each -> className(each, rules.classes)).toList();
    if (rules.classes == ClassRule.LAST) {
      joined(kept).ifPresent(facts::add);
    }
    return of(folder, kept, names, userNames, parts, unused, rules, streams, given).with(facts);
  }

  private static FolderTree of(
      String folder,
      List<Placed> kept,
      List<String> names,
      List<String> userNames,
      boolean parts,
      List<UnusedFile> unused,
      Rules rules,
      RandomStreams streams,
      Optional<TaskDescription> given) {
    List<String> classes = TaskDescription.classesOf(given, sorted(names), folder, "its folders");
    if (classes.size() < 2) {
      throw new DamagedDataException(
          folder, "its folders", "at least two classes are needed, but there is only " + classes);
    }
    int[] labels = names.stream().mapToInt(classes::indexOf).toArray();
    boolean[] drawn =
        parts
            ? new boolean[labels.length]
            : StratifiedSplit.draw(labels, classes.size(), rules.testShare, streams);
    List<String> users = rules.users == UserRule.NONE ? List.of() : sorted(userNames);
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < labels.length; i++) {
      Placed each = kept.get(i);
      int user = users.isEmpty() ? -1 : users.indexOf(userNames.get(i));
      samples.add(new Sample(each.file, labels[i], user, parts ? each.test : drawn[i]));
    }
    return new FolderTree(classes, users, samples, unused, List.of());
  }

  private FolderTree with(List<String> facts) {
    return new FolderTree(classes, users, samples, unused, facts);
  }

  /** Folders with one name in several places, which become one class. */
  private static Optional<String> joined(List<Placed> kept) {
    SortedMap<String, SortedSet<String>> paths = new TreeMap<>();
    for (Placed each : kept) {
      paths
          .computeIfAbsent(each.folders.getLast(), _ -> new TreeSet<>())
          .add(String.join("/", each.folders));
    }
    List<SortedSet<String>> several =
        paths.values().stream().filter(each -> each.size() > 1).toList();
    return several.isEmpty()
        ? Optional.empty()
        : Optional.of(
            several.size()
                + " of "
                + paths.size()
                + " classes join folders of the same name, such as "
                + String.join(" and ", several.getFirst().stream().limit(2).toList())
                + "; classes: path keeps them apart");
  }

  /** How the test samples are chosen, for a reader. */
  private static String division(List<Placed> placed, boolean parts, double testShare) {
    if (!parts) {
      return StratifiedSplit.described(testShare, "class");
    }
    SortedSet<String> tests = new TreeSet<>();
    placed.stream()
        .filter(each -> partOf(each).filter("test"::equals).isPresent())
        .forEach(each -> tests.add(each.folders.getFirst()));
    return "the test is the folder " + String.join(" and ", tests);
  }

  private static void requireAny(DataFiles files, String folder, Kind kind, List<String> others) {
    if (!files.anyOf(folder, kind::has)) {
      throw new DamagedDataException(
          folder,
          "its files",
          "none of its "
              + others.size()
              + " files is "
              + kind.what
              + " (."
              + String.join(", .", kind.endings)
              + "), such as "
              + others.getFirst());
    }
  }

  private static List<String> foldersOf(String file) {
    List<String> words = List.of(file.split("/", -1));
    return words.subList(0, words.size() - 1);
  }

  /** An archive often wraps everything in one more folder. */
  private static List<Placed> withoutCommonFolders(List<Placed> placed, int needed) {
    List<Placed> inner = placed;
    while (inner.stream().allMatch(each -> each.folders.size() > needed)
        && inner.stream().map(each -> each.folders.getFirst()).distinct().count() == 1
        && !partOf(inner.getFirst()).equals(Optional.of("test"))) {
      inner = inner.stream().map(each -> each.inner(1, each.folders.size())).toList();
    }
    return inner;
  }

  private static boolean hasPart(List<Placed> placed, String part) {
    return placed.stream().anyMatch(each -> partOf(each).filter(part::equals).isPresent());
  }

  private static Optional<String> partOf(Placed placed) {
    return placed.folders.isEmpty() ? Optional.empty() : part(placed.folders.getFirst());
  }

  /** The part that a folder holds: its name is train or test, or ends with that word. */
  public static Optional<String> part(String folder) {
    String[] words = folder.toLowerCase(Locale.ROOT).split("[-_. ]", -1);
    return Stream.of("train", "test").filter(words[words.length - 1]::equals).findFirst();
  }

  private static List<Placed> splitParts(List<Placed> placed, List<UnusedFile> unused) {
    List<Placed> inner = new ArrayList<>();
    for (Placed each : placed) {
      Optional<String> part = partOf(each);
      if (part.isEmpty()) {
        unused.add(new UnusedFile(each.file, "neither in the folder train nor in test"));
      } else {
        inner.add(
            new Placed(
                each.file,
                each.folders.subList(1, each.folders.size()),
                part.get().equals("test")));
      }
    }
    return inner;
  }

  private static String user(Placed placed, UserRule rule) {
    return switch (rule) {
      case NONE -> "";
      case FIRST -> placed.folders.getFirst();
      case LAST -> placed.folders.getLast();
      case NAME -> placed.name();
    };
  }

  private static Placed withoutUser(Placed placed, UserRule rule) {
    int count = placed.folders.size();
    return switch (rule) {
      case NONE, NAME -> placed;
      case FIRST -> placed.inner(1, count);
      case LAST -> placed.inner(0, count - 1);
    };
  }

  private static String className(Placed placed, ClassRule rule) {
    return switch (rule) {
      case AUTO, PATH -> String.join("/", placed.folders);
      case FIRST -> placed.folders.getFirst();
      case LAST -> placed.folders.getLast();
      case NAME -> placed.name();
    };
  }

  private static void requireFolders(String folder, List<Placed> kept, List<UnusedFile> unused) {
    if (kept.isEmpty()) {
      throw new DamagedDataException(
          folder,
          "its folders",
          "no file is in a folder of a class, such as "
              + unused.getFirst().file()
              + "; make a folder for each class, or choose dataset.classes: name where file names"
              + " begin with the class");
    }
  }

  /**
   * Which folder of a deep tree is the class cannot be guessed: the wrong one trains all the same.
   */
  private static void requireRule(String folder, List<Placed> kept, ClassRule rule) {
    if (rule != ClassRule.AUTO || kept.stream().allMatch(each -> each.folders.size() == 1)) {
      return;
    }
    Placed deepest =
        kept.stream().filter(each -> each.folders.size() > 1).findFirst().orElseThrow();
    throw new SettingException(
        "dataset.classes",
        folder + " has more than one folder above a file, as in " + deepest.file,
        "say which one is the class: path makes "
            + counted(kept, each -> className(each, ClassRule.PATH))
            + ", first "
            + counted(kept, each -> className(each, ClassRule.FIRST))
            + ", last "
            + counted(kept, each -> className(each, ClassRule.LAST))
            + "; with dataset.users: first or last the other folder is the user");
  }

  private static String counted(List<Placed> kept, Function<Placed, String> name) {
    SortedSet<String> names = new TreeSet<>(kept.stream().map(name).toList());
    String some = String.join(", ", names.stream().limit(2).toList());
    return names.size() + " classes (" + some + (names.size() > 2 ? ", ..." : "") + ")";
  }

  private static List<String> sorted(List<String> names) {
    return List.copyOf(new TreeSet<>(names));
  }

  /** Facts about the tree that may surprise. */
  public List<String> remarks() {
    int[] counts = new int[classes.size()];
    samples.forEach(each -> counts[each.label]++);
    List<String> single = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    for (int label = 0; label < counts.length; label++) {
      if (counts[label] == 1) {
        single.add(classes.get(label));
      } else if (counts[label] == 0) {
        absent.add(classes.get(label));
      }
    }
    List<String> remarks = new ArrayList<>(rules);
    if (!single.isEmpty()) {
      remarks.add("classes with a single file, which stays in one part: " + some(single));
    }
    if (!absent.isEmpty()) {
      remarks.add("classes of the task without a file: " + some(absent));
    }
    return remarks;
  }

  private static String some(List<String> names) {
    return String.join(", ", names.stream().limit(MOST_NAMED).toList())
        + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "");
  }
}
