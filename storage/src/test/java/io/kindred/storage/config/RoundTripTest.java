package io.kindred.storage.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.SampleConfig.Experiment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class RoundTripTest {
  private static final List<String> AWKWARD =
      List.of(
          "",
          " ",
          "null",
          "~",
          "true",
          "no",
          "007",
          "1e3",
          "-",
          "--- a",
          "...",
          "a: b",
          "a #b",
          "#",
          "'",
          "\"",
          "\\",
          "tab\there",
          "two\nlines\n",
          "\r",
          " lead",
          "trail ",
          "[x]",
          "{x}",
          "a,b",
          "*x",
          "&x",
          "!x",
          "%x",
          "@x",
          "`x",
          "é",
          "\u0000",
          "\u0085",
          "\u2028",
          "\uFEFF",
          "😀",
          "漢字",
          "a/b.c",
          "?",
          ": ",
          "2026-01-01",
          "0x1F",
          ".5",
          "-.inf",
          "<<",
          "=");

  private final SplittableRandom random = new SplittableRandom(42);

  @Test
  void writesDefaultsAndNamesInComponentOrder() {
    assertThat(
            SampleConfig.BINDER.toYaml(
                SampleConfig.bind("rounds: 3\nlinks: [{to: b, splits: [iid]}]\n")))
        .isEqualTo(
            """
            rounds: 3
            peers: 10
            seed: 1
            away: 0.0
            verbose: false
            title: "no title"
            engine: local
            training:
              batch: 32
              epochs: 1
              optimizer:
                learningRate: 0.05
                momentum: 0.0
                weightDecay: 0.0
            partition:
              name: dirichlet
              alpha: 0.5
            seeds: []
            links:
              - from: a
                to: b
                splits:
                  - name: iid
            sweep: {}
            limits: {}
            extra: null
            second:
              name: iid
            """);
  }

  @Test
  void readsBackWhatItWrote() {
    for (int trial = 0; trial < 400; trial++) {
      Experiment original = experiment();
      String text = SampleConfig.BINDER.toYaml(original);
      assertThat(SampleConfig.bind(text)).as("trial %d:%n%s", trial, text).isEqualTo(original);
      assertThat(SampleConfig.BINDER.toYaml(SampleConfig.bind(text))).isEqualTo(text);
    }
  }

  @Test
  void readsBackEveryTree() {
    for (int trial = 0; trial < 400; trial++) {
      Mapping original = mapping(4);
      String text = YamlWriter.of(original);
      assertThat(ConfigFile.parse("run.yaml", text))
          .as("trial %d:%n%s", trial, text)
          .isEqualTo(original);
    }
  }

  private Experiment experiment() {
    List<Long> seeds = new ArrayList<>();
    List<SampleConfig.Link> links = new ArrayList<>();
    SortedMap<String, ConfigNode> sweep = new TreeMap<>();
    SortedMap<String, Double> limits = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      seeds.add(random.nextLong() >>> 1);
      links.add(new SampleConfig.Link("from " + i, awkward() + "!", List.of(split(), split())));
      sweep.put(awkward(), node(3));
      limits.put(awkward(), positive());
    }
    return new Experiment(
        random.nextInt(1, 1000),
        random.nextInt(1, 100),
        random.nextLong(),
        random.nextDouble(),
        random.nextBoolean(),
        awkward(),
        random.nextBoolean() ? SampleConfig.Engine.LOCAL : SampleConfig.Engine.SPARK_CLUSTER,
        new SampleConfig.Training(
            1, 2, new SampleConfig.Optimizer(positive() + Double.MIN_VALUE, 0.5, positive())),
        split(),
        List.copyOf(seeds),
        List.copyOf(links),
        sweep,
        limits,
        node(3),
        random.nextBoolean() ? Optional.empty() : Optional.of(random.nextDouble()),
        random.nextBoolean() ? Optional.empty() : Optional.of(split()));
  }

  private SampleConfig.Split split() {
    return switch (random.nextInt(3)) {
      case 0 -> new SampleConfig.Iid();
      case 1 -> new SampleConfig.Dirichlet(random.nextDouble() + 1e-9);
      default -> new SampleConfig.Shards(random.nextInt(1, 5), random.nextInt(5, 9));
    };
  }

  /** Any finite number of at least 0, in every order of magnitude. */
  private double positive() {
    double value = Math.abs(Double.longBitsToDouble(random.nextLong()));
    return Double.isFinite(value) ? value : 0;
  }

  private String awkward() {
    return AWKWARD.get(random.nextInt(AWKWARD.size()))
        + (random.nextBoolean() ? "" : AWKWARD.get(random.nextInt(AWKWARD.size())));
  }

  private ConfigNode node(int depth) {
    Origin origin = Origin.named("test");
    return switch (random.nextInt(depth == 0 ? 3 : 5)) {
      case 0 -> new ConfigNode.Scalar(awkward(), ConfigNode.Form.TEXT, origin);
      case 1 ->
          new ConfigNode.Scalar(
              Double.toString(random.nextBoolean() ? positive() : -positive()),
              ConfigNode.Form.PLAIN,
              origin);
      case 2 -> new ConfigNode.Scalar("", ConfigNode.Form.MISSING, origin);
      case 3 -> mapping(depth - 1);
      default -> {
        List<ConfigNode> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.add(node(depth - 1));
        }
        yield new ConfigNode.Sequence(items, origin);
      }
    };
  }

  private Mapping mapping(int depth) {
    Mapping mapping = Mapping.empty(Origin.named("test"));
    for (int i = random.nextInt(4); i > 0; i--) {
      mapping = mapping.with(new ConfigNode.Entry(awkward(), Origin.named("test"), node(depth)));
    }
    return mapping;
  }
}
