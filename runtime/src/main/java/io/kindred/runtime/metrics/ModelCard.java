package io.kindred.runtime.metrics;

import io.kindred.core.config.Catalogue;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Task;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.training.Measures;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.runtime.config.Experiment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A page beside the model file of a peer that describes the model.
 *
 * @param round the round of the model
 * @param line the evaluation of the model; empty if it was not evaluated
 * @param explanation why the peer deploys it; empty if its method reports no reasons
 * @param sources where pulled models came from; empty if nobody counted
 */
public record ModelCard(
    Experiment experiment,
    PeerFactory factory,
    long peer,
    int round,
    Optional<MetricLine> line,
    Optional<PeerExplanation> explanation,
    Optional<String> sources) {

  /** The page in Markdown. */
  public String text() {
    Dataset dataset = factory.datasets().dataset();
    Holdout.PeerSplit split = factory.datasets().splits().get((int) peer);
    return String.format(
            Locale.ROOT,
            """
            # Model of peer %d

            | | |
            |---|---|
            | weights | `peer-%d.safetensors`, %d numbers |
            | model | `%s` |
            | method | `%s` |
            | data | `%s`, partition `%s`, %d samples to train with, %d to test with |
            | rounds | %d of %d, seed %d |
            | accuracy | %s |
            """,
            peer,
            peer,
            factory.architecture().layout().size(),
            Catalogue.nameOf(experiment.model().getClass()),
            Catalogue.nameOf(experiment.method().getClass()),
            Catalogue.nameOf(experiment.dataset().getClass()),
            Catalogue.nameOf(experiment.partition().getClass()),
            split.train().size(),
            split.test().size(),
            round,
            experiment.rounds(),
            experiment.seed(),
            accuracy())
        + row("measures", line.flatMap(ModelCard::measures))
        + row(dataset.task() == Task.REGRESSION ? "outputs" : "classes", outputs(dataset))
        + row("inputs", inputs(dataset))
        + row("why this model", explanation.map(each -> "the peer " + each.sentence()))
        + row("models came from", sources)
        + "\nThe whole configuration is in `../config.yaml`, every round in `../metrics.jsonl`.\n";
  }

  /** The measures beside accuracy, on the peer's own test samples. */
  private static Optional<String> measures(MetricLine line) {
    String measures =
        Stream.of(
                Measures.BALANCED_ACCURACY,
                Measures.MACRO_F1,
                Measures.AUC,
                Measures.MAE,
                Measures.RMSE)
            .filter(name -> line.extra().containsKey(name))
            .map(name -> String.format(Locale.ROOT, "%s %.4g", name, line.extra().get(name)))
            .collect(Collectors.joining(", "));
    return Optional.of(measures).filter(each -> !each.isEmpty());
  }

  /** What the outputs of the model mean, in their order. */
  private static Optional<String> outputs(Dataset dataset) {
    TaskDescription task = dataset.reading().task();
    List<String> names = dataset.task() == Task.REGRESSION ? task.targets() : task.classes();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            IntStream.range(0, names.size())
                .mapToObj(i -> i + " " + names.get(i).replace("|", "\\|"))
                .collect(Collectors.joining(", ")));
  }

  private static Optional<String> inputs(Dataset dataset) {
    return dataset.reading().task().scales().isEmpty()
        ? Optional.empty()
        : Optional.of(
            dataset.shape().stream().map(String::valueOf).collect(Collectors.joining(" x "))
                + " values, scaled as `../data.json` says");
  }

  private static String row(String name, Optional<String> value) {
    return value.map(each -> "| " + name + " | " + each + " |\n").orElse("");
  }

  /** The measured accuracy of the model; a peer that is not evaluated has none. */
  private String accuracy() {
    if (line.isEmpty()) {
      return "not measured";
    }
    MetricLine measured = line.get();
    String own =
        measured.accuracy() == null
            ? "not measured"
            : "%s on its own %d test samples".formatted(measured.accuracy(), measured.samples());
    String common =
        measured.globalAccuracy() == null
            ? ""
            : ", %s on the common ones".formatted(measured.globalAccuracy());
    return own + common;
  }
}
