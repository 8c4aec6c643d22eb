package io.kindred.runtime.config;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.adversary.Adversaries;
import io.kindred.environment.adversary.Behaviours;
import io.kindred.environment.churn.ChurnModel;
import io.kindred.environment.churn.ChurnModels;
import io.kindred.environment.device.DeviceModels;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.link.LinkModels;
import io.kindred.environment.mobility.MobilityModels;
import io.kindred.environment.radio.GainSources;
import io.kindred.environment.topology.Topologies;
import io.kindred.environment.topology.Topology;
import io.kindred.learning.DataSources;
import io.kindred.learning.Engines;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.model.Model;
import io.kindred.learning.partition.Partition;
import io.kindred.learning.partition.Partitions;
import io.kindred.methods.catalogue.Methods;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.Training;
import io.kindred.methods.discovery.PeerDiscoveries;
import io.kindred.methods.robust.RobustRule;
import io.kindred.methods.robust.RobustRules;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The complete description of one run: equal experiments give the same trace hash, whatever the
 * number of workers.
 */
@Buildable
public record Experiment(
    @Setting(doc = "the algorithm that peers follow") Method method,
    @Setting(doc = "the data that peers learn from", fallback = "glyphs") DataSource dataset,
    @Setting(doc = "the model that every peer trains", fallback = "mlp") Model model,
    @Setting(doc = "safetensors file of initial weights; weights that it lacks are drawn")
        Optional<String> start,
    @Setting(
            doc = "how samples are divided among the peers",
            fallback = "{name: dirichlet, alpha: 0.3}")
        Partition partition,
    @Setting(doc = "which peers are neighbours", fallback = "erdos-renyi") Topology topology,
    @Setting(doc = "number of peers, servers not counted", fallback = "30", min = 1, max = 1e6)
        int peers,
    @Setting(doc = "number of rounds of each peer", fallback = "20", min = 1, max = 1e6) int rounds,
    @Setting(doc = "local training", fallback = "{}") Training training,
    @Setting(doc = "seed of all random draws", fallback = "1", min = 0) long seed,
    @Setting(
            doc =
                "seed of the data set, its partition and the held-out samples; without it that is seed."
                    + " Runs with one dataSeed and several seeds train on the same samples",
            min = 0)
        Optional<Long> dataSeed,
    @Setting(
            doc = "threads that compute; 0 means one per core. Never changes a result",
            fallback = "0",
            min = 0,
            max = 1024)
        int workers,
    @Setting(doc = "engine that computes losses and gradients", fallback = "jvm")
        EngineChoice engine,
    @Setting(doc = "links between peers, and the devices that peers run on", fallback = "{}")
        NetworkSettings network,
    @Setting(doc = "how peers leave and return", fallback = "none") ChurnModel churn,
    @Setting(doc = "faults other than churn", fallback = "{}") Faults faults,
    @Setting(doc = "hostile peers, and what they do", fallback = "{}") Adversaries adversaries,
    @Setting(
            doc =
                "rule by which received models are mixed, on a graph, by pulling and on a server; without"
                    + " it the method's own")
        Optional<RobustRule> robust,
    @Setting(doc = "what is measured and when", fallback = "{}") EvaluationSettings evaluation) {
  /** Everything that an experiment can choose by name. */
  public static final List<Catalogue<?>> CATALOGUES =
      List.of(
          Methods.ALL,
          PeerDiscoveries.ALL,
          DataSources.ALL,
          Plugins.models(),
          Partitions.ALL,
          Topologies.ALL,
          Engines.ALL,
          DeviceModels.ALL,
          LinkModels.ALL,
          MobilityModels.ALL,
          GainSources.ALL,
          ChurnModels.ALL,
          Behaviours.ALL,
          RobustRules.ALL);

  /**
   * The key of an experiment file under which a catalogue's choices are named; a setting of some
   * methods or links has a key such as {@code method.discovery}.
   */
  public static String keyOf(Catalogue<?> catalogue) {
    return keyOf(catalogue, Experiment.class)
        .or(() -> keyOf(catalogue, Methods.ALL).map(key -> "method." + key))
        .or(() -> keyOf(catalogue, LinkModels.ALL).map(key -> "network.links." + key))
        .orElseThrow(
            () -> new IllegalArgumentException("no key of an experiment is a " + catalogue.noun()));
  }

  private static Optional<String> keyOf(Catalogue<?> catalogue, Catalogue<?> sections) {
    return sections.choices().stream()
        .flatMap(choice -> keyOf(catalogue, choice).stream())
        .findFirst();
  }

  private static Optional<String> keyOf(Catalogue<?> catalogue, Class<?> section) {
    for (RecordComponent component : section.getRecordComponents()) {
      if (component.getType() == catalogue.kind() || isOptional(component, catalogue.kind())) {
        return Optional.of(component.getName());
      }
      if (component.getType().isRecord()) {
        Optional<String> inside = keyOf(catalogue, component.getType());
        if (inside.isPresent()) {
          return component.isAnnotationPresent(SettingGroup.class)
              ? inside
              : inside.map(key -> component.getName() + "." + key);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isOptional(RecordComponent component, Class<?> kind) {
    return component.getGenericType() instanceof ParameterizedType generic
        && generic.getRawType() == Optional.class
        && generic.getActualTypeArguments()[0] == kind;
  }

  /** The rule by which peers, or the server, mix received models. */
  public RobustRule mixingRule() {
    return robust.orElseGet(method::defaultRobustRule);
  }

  /** The numbers of the hostile peers. */
  public SortedSet<Integer> hostilePeers() {
    return adversaries.among(peers, seed);
  }

  /** What draws the data set, divides it among the peers, and holds samples out. */
  public RandomStreams dataStreams() {
    return new RandomStreams(dataSeed.orElse(seed));
  }

  /** The same experiment with another number of workers, which never changes a result. */
  public Experiment withWorkers(int count) {
    return ExperimentBuilder.from(this).workers(count).build();
  }

  /** The same experiment with another seed and other faults. */
  public Experiment with(long otherSeed, Faults otherFaults) {
    return ExperimentBuilder.from(this).seed(otherSeed).faults(otherFaults).build();
  }

  /** The same experiment with another method. */
  public Experiment with(Method other) {
    return ExperimentBuilder.from(this).method(other).build();
  }

  /** The same experiment among honest peers. */
  public Experiment withoutAdversaries() {
    return ExperimentBuilder.from(this).adversaries(Adversaries.NONE).build();
  }

  /** The same experiment with the hostile peers of another one. */
  public Experiment withAdversariesOf(Experiment other) {
    return ExperimentBuilder.from(this).adversaries(other.adversaries()).build();
  }

  /** The same experiment with another engine. */
  public Experiment withEngine(EngineChoice other) {
    return ExperimentBuilder.from(this).engine(other).build();
  }
}
