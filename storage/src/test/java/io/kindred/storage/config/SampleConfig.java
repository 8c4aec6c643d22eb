package io.kindred.storage.config;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** A small configuration with every shape that a key can have. */
final class SampleConfig {
  private SampleConfig() {}

  interface Split {}

  @Named(value = "iid", summary = "every peer alike")
  record Iid() implements Split {}

  @Named(value = "dirichlet", summary = "label shares drawn from a Dirichlet")
  record Dirichlet(
      @Setting(doc = "how even the shares are", fallback = "0.3", above = 0, max = 100)
          double alpha)
      implements Split {}

  @Named(value = "shards", summary = "a few labels each")
  record Shards(
      @Setting(doc = "shards per peer", min = 1) int shards,
      @Setting(doc = "classes in all", fallback = "10", min = 1) int classes)
      implements Split {
    Shards {
      if (shards > classes) {
        throw new SettingException(
            "shards", shards + " shards of " + classes + " classes", "lower it");
      }
    }
  }

  static final Catalogue<Split> SPLITS =
      new Catalogue<>(Split.class, "partition", List.of(Iid.class, Dirichlet.class, Shards.class));

  static final List<Catalogue<?>> CATALOGUES = List.of(SPLITS);

  static final Binder BINDER = new Binder(CATALOGUES);

  enum Engine {
    LOCAL,
    SPARK_CLUSTER
  }

  record Optimizer(
      @Setting(doc = "step size", fallback = "0.05", above = 0) double learningRate,
      @Setting(doc = "share of the last step that is kept", fallback = "0", min = 0, max = 0.9999)
          double momentum,
      @Setting(doc = "pull of the weights towards zero", fallback = "0", min = 0)
          double weightDecay) {}

  record Training(
      @Setting(doc = "samples per step", fallback = "32", min = 1) int batch,
      @Setting(doc = "passes over the local samples", min = 1, max = 1000) int epochs,
      @Setting(doc = "how weights move", fallback = "{}") Optimizer optimizer) {}

  record Link(
      @Setting(doc = "from", fallback = "a") String from,
      @Setting(doc = "to") String to,
      @Setting(doc = "splits", fallback = "[]") List<Split> splits) {
    Link {
      if (from.equals(to)) {
        throw new IllegalArgumentException("a link must not lead back to " + to);
      }
    }
  }

  record Experiment(
      @Setting(doc = "rounds to run", min = 1) int rounds,
      @Setting(doc = "peers", fallback = "10", min = 1, max = 100000) int peers,
      @Setting(doc = "the run's seed", fallback = "1") long seed,
      @Setting(doc = "share of peers away", fallback = "0", min = 0, max = 1) double away,
      @Setting(doc = "write every round", fallback = "false") boolean verbose,
      @Setting(doc = "a title", fallback = "'no title'") String title,
      @Setting(doc = "where to run", fallback = "local") Engine engine,
      @Setting(doc = "local training", fallback = "{epochs: 1}") Training training,
      @Setting(doc = "who holds what", fallback = "{name: dirichlet, alpha: 0.5}") Split partition,
      @Setting(doc = "seeds of a grid", fallback = "[]", min = 0) List<Long> seeds,
      @Setting(doc = "links", fallback = "[]") List<Link> links,
      @Setting(doc = "grid", fallback = "{}") SortedMap<String, ConfigNode> sweep,
      @Setting(doc = "limits", fallback = "{}", min = 0) SortedMap<String, Double> limits,
      @Setting(doc = "what others read", fallback = "null") ConfigNode extra,
      @Setting(doc = "stop at", min = 0, max = 1) Optional<Double> target,
      @Setting(doc = "second split", fallback = "iid") Optional<Split> second) {
    Experiment {
      if (peers > 50000 && rounds > 50000) {
        throw new SettingException("training.batch", "is too much work", "use fewer peers");
      }
    }
  }

  static Experiment bind(String text) {
    return BINDER.bind(Experiment.class, ConfigFile.parse("run.yaml", text));
  }
}
