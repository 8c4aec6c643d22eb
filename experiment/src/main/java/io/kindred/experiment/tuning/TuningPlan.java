package io.kindred.experiment.tuning;

import io.kindred.experiment.tuning.SearchSpace.KeyRange;
import io.kindred.experiment.tuning.SearchSpace.TunedKey;
import io.kindred.experiment.tuning.Try.TriedSetting;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode;
import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Form;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;
import io.kindred.storage.config.Origin;
import io.kindred.storage.config.Overrides;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tries of every method, as the cells of one grid. A cell evaluates on validation samples, so
 * that no test sample has any influence on the choice.
 */
public final class TuningPlan {
  /** The share of validation samples where the file keeps none. */
  public static final double VALIDATION_SHARE = 0.2;

  private static final Origin ORIGIN = Origin.named("tuning");

  /**
   * What a tuning should do.
   *
   * @param budget tries of each method, the settings of the file included
   * @param seeds the seeds that a score is the mean over; empty takes the first seed of the file
   * @param ranges ranges in place of the declared ones or beside them
   */
  public record Request(int budget, TuningSearch search, List<Long> seeds, List<KeyRange> ranges) {
    public Request {
      seeds = List.copyOf(seeds);
      ranges = List.copyOf(ranges);
      if (budget < 1) {
        throw SearchSpace.wrong(
            "--budget must be a whole number of at least 1, but is '" + budget + "'");
      }
      if (seeds.stream().distinct().count() < seeds.size()) {
        throw SearchSpace.wrong("--seeds names a seed twice; name each seed once");
      }
    }
  }

  /** The tries of one method, the settings of the file first. */
  public record MethodTries(String method, List<Try> tries) {
    public MethodTries {
      tries = List.copyOf(tries);
    }
  }

  private final Mapping task;
  private final Mapping fileSeeds;
  private final Request request;
  private final double validation;
  private final boolean addsValidation;
  private final List<Long> seeds;
  private final List<MethodTries> methods;

  /**
   * Plans the tries.
   *
   * @param file an experiment file that sweeps over {@code method} and nothing else
   */
  public TuningPlan(ExperimentFile file, Request request) {
    Mapping root = file.tree();
    requireOneTask(root);
    this.request = request;
    this.task = file.runKeys().without("method");
    this.fileSeeds = seedsOf(root);
    Mapping seeded = firstSeed(root).map(seed -> with(task, "seed", seed)).orElse(task);
    List<MethodEntry> entries = entries(root);
    List<Experiment> experiments =
        entries.stream().map(entry -> bind(Overrides.merge(seeded, entry.section()))).toList();
    double kept = experiments.getFirst().evaluation().validation();
    this.addsValidation = kept == 0;
    this.validation = addsValidation ? VALIDATION_SHARE : kept;
    this.seeds =
        request.seeds().isEmpty() ? List.of(experiments.getFirst().seed()) : request.seeds();
    SearchSpace.requireKnown(request.ranges(), entries.stream().map(MethodEntry::name).toList());
    List<MethodTries> planned = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      planned.add(tries(entries.get(i), ExperimentFile.resolvedTree(experiments.get(i))));
    }
    this.methods = List.copyOf(planned);
  }

  private static void requireOneTask(Mapping root) {
    if (root.find("cases").isPresent()) {
      throw SearchSpace.wrong("a tuning needs one task, but the file has 'cases'; remove them");
    }
    List<String> swept =
        root.find("sweep")
            .map(sweep -> sweep instanceof Mapping mapping ? mapping.keys() : List.<String>of())
            .orElse(List.of());
    for (String key : swept) {
      if (!key.equals("method")) {
        throw SearchSpace.wrong(
            "a tuning needs one task, but the file sweeps '%s'; choose one value, as in --set %s=VALUE"
                .formatted(key, key));
      }
    }
  }

  private static Mapping seedsOf(Mapping root) {
    return root.entry("seeds")
        .map(entry -> new Mapping(List.of(entry), root.origin()))
        .orElse(Mapping.empty(root.origin()));
  }

  private static Optional<ConfigNode> firstSeed(Mapping root) {
    return root.find("seeds")
        .filter(Sequence.class::isInstance)
        .flatMap(seeds -> ((Sequence) seeds).items().stream().findFirst());
  }

  /**
   * A method to tune.
   *
   * @param label the method as the user named it
   * @param section the key {@code method} with the settings that the file has for the method
   */
  private record MethodEntry(String label, Mapping section) {
    private String name() {
      return section.find("method").flatMap(ConfigNode::choiceName).orElseThrow();
    }
  }

  private static List<MethodEntry> entries(Mapping root) {
    ConfigNode swept =
        root.findAt("sweep.method")
            .orElseThrow(() -> SearchSpace.wrong("--methods names no method; name at least one"));
    List<MethodEntry> entries = new ArrayList<>();
    if (swept instanceof Sequence sequence) {
      for (ConfigNode item : sequence.items()) {
        Mapping over = Mapping.nested("method", named(item));
        Mapping merged = Overrides.merge(root, over);
        entries.add(
            new MethodEntry(
                ExperimentFile.label(item),
                Mapping.nested("method", merged.find("method").orElseThrow())));
      }
    }
    if (entries.isEmpty()) {
      throw SearchSpace.wrong("--methods names no method; name at least one");
    }
    return entries;
  }

  /** A method without settings stands for a section with its name alone. */
  private static ConfigNode named(ConfigNode item) {
    return item instanceof Scalar ? Mapping.nested(ConfigNode.NAME, item) : item;
  }

  private MethodTries tries(MethodEntry entry, Mapping resolved) {
    SearchSpace space = SearchSpace.of(entry.name(), resolved, request.ranges());
    List<String> current =
        space.keys().stream()
            .map(key -> SearchSpace.currentValue(resolved, key.path()))
            .map(value -> value.map(each -> TuningRange.normalized(each.text())).orElse(""))
            .toList();
    List<List<String>> values =
        new TryPlanner(seeds.getFirst(), space).plan(request.search(), request.budget(), current);
    List<Try> tries = new ArrayList<>();
    for (List<String> each : values) {
      tries.add(tryOf(entry, tries.size() + 1, space.keys(), each));
    }
    return new MethodTries(entry.label(), tries);
  }

  private static Try tryOf(
      MethodEntry entry, int number, List<TunedKey> keys, List<String> values) {
    List<TriedSetting> settings = new ArrayList<>();
    Mapping section = entry.section();
    for (int i = 0; i < keys.size(); i++) {
      String path = keys.get(i).path();
      // An option that the file leaves out has no value to write down.
      if (!values.get(i).isEmpty()) {
        settings.add(new TriedSetting(path, values.get(i)));
        ConfigNode value = ConfigFile.value(values.get(i), Origin.named("the range of " + path));
        section = Overrides.merge(section, Mapping.nested(path, value));
      }
    }
    return new Try(entry.label(), number, settings, section);
  }

  /** The tries of every method, in the order in which the user named the methods. */
  public List<MethodTries> methods() {
    return methods;
  }

  public List<Long> seeds() {
    return seeds;
  }

  public Request request() {
    return request;
  }

  /** Whether the file keeps no validation samples, so that the tuning keeps some. */
  public boolean addsValidation() {
    return addsValidation;
  }

  /** Every try under every seed: methods outside, then tries, then seeds. */
  public List<GridCell> cells() {
    Mapping evaluated = with(task, "evaluation.validation", plain(Double.toString(validation)));
    evaluated = with(evaluated, "evaluation.on", text("validation"));
    // The models of tries would fill the disk, and nothing reads them.
    evaluated = with(evaluated, "evaluation.saveModels", plain("false"));
    List<Try> all = methods.stream().flatMap(each -> each.tries().stream()).toList();
    if (seeds.size() == 1) {
      // One seed is no choice of a cell, so labels and folders leave it out.
      return file(grid(with(evaluated, "seed", seedNode(seeds.getFirst())), all)).cells();
    }
    List<ConfigNode> nodes = seeds.stream().map(TuningPlan::seedNode).toList();
    Entry seedList = new Entry("seeds", ORIGIN, new Sequence(nodes, ORIGIN));
    return file(grid(evaluated, all).with(seedList)).cells();
  }

  private static ConfigNode seedNode(long seed) {
    return plain(Long.toString(seed));
  }

  /** The experiment that runs the given tries on the test samples, under the seeds of the file. */
  public Mapping testExperiment(List<Try> chosen) {
    Mapping evaluated = with(task, "evaluation.validation", plain(Double.toString(validation)));
    evaluated = with(evaluated, "evaluation.on", text("test"));
    return Overrides.merge(grid(evaluated, chosen), fileSeeds);
  }

  private static Mapping grid(Mapping task, List<Try> tries) {
    List<ConfigNode> cases = tries.stream().map(each -> (ConfigNode) each.section()).toList();
    return task.with(new Entry("cases", ORIGIN, new Sequence(cases, ORIGIN)));
  }

  private static Mapping with(Mapping root, String path, ConfigNode value) {
    return Overrides.merge(root, Mapping.nested(path, value));
  }

  private static Scalar plain(String value) {
    return new Scalar(value, Form.PLAIN, ORIGIN);
  }

  private static Scalar text(String value) {
    return new Scalar(value, Form.TEXT, ORIGIN);
  }

  private static ExperimentFile file(Mapping root) {
    return ExperimentFile.of(root, Optional.empty(), List.of());
  }

  private static Experiment bind(Mapping root) {
    return file(root).experiment();
  }
}
