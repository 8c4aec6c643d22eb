package io.kindred.runtime.config;

import io.kindred.core.config.SettingException;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode;
import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;
import io.kindred.storage.config.NearestName;
import io.kindred.storage.config.Overrides;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An experiment file: one experiment, and perhaps {@code profiles} to lay over it, a {@code sweep}
 * and {@code seeds} that make it a grid, {@code cases} of keys that change together, and a {@code
 * table} that says how to show the grid.
 */
public final class ExperimentFile {
  /** Keys that are about the file, not about one run. */
  private static final List<String> FILE_KEYS =
      List.of("profiles", "cases", "sweep", "seeds", "table");

  private static final Binder BINDER = new Binder(Experiment.CATALOGUES);

  private final Mapping root;

  private ExperimentFile(Mapping root) {
    this.root = root;
  }

  /** Reads a file, lays the profile over it and then the assignments of the command line. */
  public static ExperimentFile read(Path file, Optional<String> profile, List<String> assignments) {
    return of(ConfigFile.read(file), profile, assignments);
  }

  public static ExperimentFile of(
      Mapping written, Optional<String> profile, List<String> assignments) {
    Mapping profiled = profile.map(name -> withProfile(written, name)).orElse(written);
    Mapping assigned = Overrides.apply(profiled, assignments);
    List<String> keys =
        assignments.stream().map(assignment -> assignment.split("=", 2)[0].strip()).toList();
    if (keys.contains("seed") && keys.contains("seeds")) {
      throw new OperatorException(
          OperatorException.WRONG_USE, "'seed' and 'seeds' exclude each other; give one of them");
    }
    for (String key : keys) {
      assigned = withoutSweepOf(assigned, key);
    }
    return new ExperimentFile(assigned);
  }

  /** A key that is set by hand is no longer swept, nor a column of the table. */
  private static Mapping withoutSweepOf(Mapping written, String key) {
    Mapping root = withoutCasesOf(written, key);
    root = key.equals("seed") ? root.without("seeds") : root;
    Mapping sweep = section(root, "sweep");
    if (sweep.find(key).isEmpty()) {
      return root;
    }
    Mapping rest = sweep.without(key);
    Mapping next = rest.keys().isEmpty() ? root.without("sweep") : with(root, "sweep", rest);
    Mapping table = section(root, "table");
    boolean column = table.find("columns").filter(each -> label(each).equals(key)).isPresent();
    return column ? with(next, "table", table.without("columns")) : next;
  }

  /**
   * A key that is set or swept by hand no longer changes from case to case. Without their methods
   * the cases mean nothing: the other keys of a case were chosen for its method.
   */
  private static Mapping withoutCasesOf(Mapping root, String assigned) {
    String key = assigned.startsWith("sweep.") ? assigned.substring("sweep.".length()) : assigned;
    if (!(root.find("cases").orElse(root) instanceof Sequence cases)) {
      return root;
    }
    List<ConfigNode> rest = new ArrayList<>();
    for (ConfigNode each : cases.items()) {
      rest.add(each instanceof Mapping section ? section.withoutAt(key) : each);
    }
    if (rest.equals(cases.items())) {
      return root;
    }
    boolean nothingLeft = rest.stream().allMatch(Mapping.empty(root.origin())::equals);
    return key.equals("method") || nothingLeft
        ? root.without("cases")
        : with(root, "cases", new Sequence(rest, cases.origin()));
  }

  private static Mapping with(Mapping root, String key, ConfigNode value) {
    return root.with(
        new Entry(key, root.entry(key).map(Entry::origin).orElse(root.origin()), value));
  }

  private static Mapping withProfile(Mapping root, String name) {
    Mapping profiles = section(root, "profiles");
    ConfigNode chosen =
        profiles
            .find(name)
            .orElseThrow(
                () ->
                    new ConfigException(
                        root.entry("profiles").map(Entry::origin).orElse(root.origin()),
                        "there is no profile '"
                            + name
                            + "'"
                            + NearestName.among(profiles.keys(), name)
                                .map(near -> "; did you mean '" + near + "'?")
                                .orElse(
                                    profiles.keys().isEmpty()
                                        ? "; the file has no 'profiles'"
                                        : "; known: " + String.join(", ", profiles.keys()))));
    if (!(chosen instanceof Mapping overlay)) {
      throw new ConfigException(
          chosen.origin(), "profile '" + name + "' must be a section of keys");
    }
    return Overrides.merge(root, overlay);
  }

  private static Mapping section(Mapping root, String key) {
    ConfigNode node = root.find(key).orElse(Mapping.empty(root.origin()));
    if (node instanceof Mapping mapping) {
      return mapping;
    }
    throw new ConfigException(node.origin(), "'" + key + "' must be a section of keys");
  }

  /** Whether the file describes several runs. */
  public boolean isGrid() {
    return root.entry("sweep").isPresent()
        || root.entry("seeds").isPresent()
        || root.entry("cases").isPresent();
  }

  /** The tree of the file, with its profile and the assignments laid over it. */
  public Mapping tree() {
    return root;
  }

  /** The keys of one run: the tree without the keys that are about the file. */
  public Mapping runKeys() {
    Mapping alone = root;
    for (String key : FILE_KEYS) {
      alone = alone.without(key);
    }
    return alone;
  }

  /** The one experiment of a file that is no grid. */
  public Experiment experiment() {
    return bind(root);
  }

  private static Experiment bind(Mapping tree) {
    Mapping alone = new ExperimentFile(tree).runKeys();
    try {
      Experiment experiment = BINDER.bind(Experiment.class, alone);
      experiment.method().check(experiment.peers(), experiment.training());
      experiment.evaluation().requireKnownPeers(experiment.peers());
      experiment.adversaries().requireKnownPeers(experiment.peers());
      requireSamplesToCompare(experiment);
      return experiment;
    } catch (SettingException invalid) {
      throw ConfigException.at(alone, invalid);
    }
  }

  private static void requireSamplesToCompare(Experiment experiment) {
    if (!experiment.mixingRule().needsSamples()) {
      return;
    }
    if (experiment.method().hasServer()) {
      throw new SettingException(
          "robust",
          "the server of this method has no samples, so it cannot compare losses",
          "choose another rule, or a method without a server");
    }
    if (experiment.evaluation().validation() == 0) {
      throw new SettingException(
          "robust",
          "the rule compares losses on validation samples, and no samples are kept for validation",
          "keep some, for example evaluation.validation: 0.1");
    }
  }

  /** Adds file and line to an error in this file's experiment. */
  public ConfigException locate(SettingException invalid) {
    return ConfigException.at(root, invalid);
  }

  /** Adds file and line to an error in the experiment of one cell of this file's grid. */
  public ConfigException locate(GridCell cell, SettingException invalid) {
    return ConfigException.at(tree(cell.choices()), invalid);
  }

  public TableShape table() {
    Mapping written = section(root, "table");
    TableShape shape = BINDER.bind(TableShape.class, written);
    List<String> swept = section(root, "sweep").keys();
    if (!shape.columns().isEmpty() && !swept.contains(shape.columns())) {
      throw ConfigException.at(
          root,
          new SettingException(
              "table.columns",
              "'" + shape.columns() + "' is not swept",
              swept.isEmpty()
                  ? "leave 'columns' out, or add a sweep"
                  : "choose one of " + String.join(", ", swept)));
    }
    return shape;
  }

  /**
   * Every combination of the cases, the swept values and the seeds, in the order of the file; one
   * cell where nothing is swept.
   */
  public List<GridCell> cells() {
    List<GridCell.Choice> none = List.of();
    List<List<GridCell.Choice>> combinations =
        root.entry("cases").map(ExperimentFile::cases).orElse(List.of(none));
    for (Entry swept : section(root, "sweep").entries()) {
      combinations = crossProduct(combinations, swept.key(), values(swept));
    }
    Optional<Entry> seeds = root.entry("seeds");
    if (seeds.isPresent()) {
      combinations = crossProduct(combinations, "seed", values(seeds.get()));
    }
    return requireDistinct(combinations.stream().map(this::cell).toList());
  }

  /** Two cells with one experiment would count it twice, and share a folder. */
  private List<GridCell> requireDistinct(List<GridCell> cells) {
    SortedMap<String, GridCell> known = new TreeMap<>();
    for (GridCell cell : cells) {
      @Nullable GridCell same = known.put(resolvedYaml(cell.experiment()), cell);
      if (same != null) {
        throw new ConfigException(
            root.entry("sweep")
                .or(() -> root.entry("seeds"))
                .or(() -> root.entry("cases"))
                .orElseThrow()
                .origin(),
            "'%s' and '%s' are the same run; name each value once"
                .formatted(same.label(), cell.label()));
      }
    }
    return cells;
  }

  /** The choices of each case: its keys by dotted path, where a named choice is one value. */
  private static List<List<GridCell.Choice>> cases(Entry entry) {
    List<List<GridCell.Choice>> cases = new ArrayList<>();
    if (entry.value() instanceof Sequence sequence) {
      for (ConfigNode item : sequence.items()) {
        if (item instanceof Mapping section) {
          List<GridCell.Choice> choices = new ArrayList<>();
          addChoices("", section, choices);
          cases.add(choices);
        }
      }
      if (cases.size() == sequence.items().size() && !cases.isEmpty()) {
        return cases;
      }
    }
    throw new ConfigException(
        entry.origin(),
        "'cases' must list sections of keys that change together, as in"
            + " [{method: local, training: {learningRate: 0.1}}]");
  }

  private static void addChoices(String path, Mapping section, List<GridCell.Choice> choices) {
    for (Entry entry : section.entries()) {
      String key = path.isEmpty() ? entry.key() : path + "." + entry.key();
      if (entry.value() instanceof Mapping inner && inner.choiceName().isEmpty()) {
        addChoices(key, inner, choices);
      } else {
        choices.add(new GridCell.Choice(key, entry.value(), label(entry.value())));
      }
    }
  }

  private static List<ConfigNode> values(Entry entry) {
    if (entry.value() instanceof Sequence sequence && !sequence.items().isEmpty()) {
      return sequence.items();
    }
    throw new ConfigException(
        entry.origin(), "'" + entry.key() + "' must list the values to try, as in [1, 2, 3]");
  }

  private static List<List<GridCell.Choice>> crossProduct(
      List<List<GridCell.Choice>> combinations, String key, List<ConfigNode> values) {
    List<List<GridCell.Choice>> product = new ArrayList<>();
    for (List<GridCell.Choice> combination : combinations) {
      for (ConfigNode value : values) {
        List<GridCell.Choice> longer = new ArrayList<>(combination);
        longer.add(new GridCell.Choice(key, value, label(value)));
        product.add(longer);
      }
    }
    return product;
  }

  /**
   * What stands in a table for a swept value: a scalar as written, a choice by name and its other
   * settings.
   */
  public static String label(ConfigNode value) {
    return switch (value) {
      case Scalar scalar -> scalar.text();
      case Sequence sequence ->
          String.join(" ", sequence.items().stream().map(ExperimentFile::label).toList());
      case Mapping mapping -> {
        List<String> parts = new ArrayList<>();
        for (Entry entry : mapping.entries()) {
          parts.add(
              entry.key().equals(ConfigNode.NAME)
                  ? label(entry.value())
                  : entry.key() + "=" + label(entry.value()));
        }
        yield String.join(" ", parts);
      }
    };
  }

  private GridCell cell(List<GridCell.Choice> choices) {
    return new GridCell(choices, bind(tree(choices)));
  }

  private Mapping tree(List<GridCell.Choice> choices) {
    Mapping tree = root;
    for (GridCell.Choice choice : choices) {
      tree = Overrides.merge(tree, Mapping.nested(choice.path(), choice.value()));
    }
    return tree;
  }

  /** The resolved configuration as text that runs again unchanged. */
  public static String resolvedYaml(Experiment experiment) {
    return BINDER.toYaml(experiment);
  }

  /** The resolved configuration as a tree, defaults included. */
  public static Mapping resolvedTree(Experiment experiment) {
    return BINDER.unbind(experiment);
  }

  /** A short name that is safe in a file system. */
  static String slug(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.=-]+", "_").replaceAll("^_|_$", "");
  }
}
