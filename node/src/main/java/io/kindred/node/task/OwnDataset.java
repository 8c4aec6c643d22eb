package io.kindred.node.task;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.OwnSources;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.own.OwnFinding;
import io.kindred.learning.data.own.OwnSamples;
import io.kindred.learning.data.own.OwnSource;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigNode;
import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Mapping;
import java.util.List;
import java.util.Optional;

/**
 * The data of a node's owner, in the numbers of a task. There is no common test set: a node holds
 * samples of its own out.
 */
@Named(value = "own", summary = "a node's own data, read as its task says")
public record OwnDataset(
    @Setting(doc = "name of the task") String task,
    @Setting(doc = "version of the task") int version,
    @Setting(doc = "the own data; a server has none") Optional<ConfigNode> data,
    @Setting(doc = "inputs of the task") TaskInputs inputs,
    @Setting(doc = "classes of the task, in the order of their numbers") List<String> classes)
    implements DataSource {
  private static final Binder BINDER = new Binder(List.of(OwnSources.ALL));

  private record Wrapper(@Setting(doc = "the own data") OwnSource data) {}

  public OwnDataset {
    classes = List.copyOf(classes);
  }

  /** Own data as a configuration names them. */
  public static OwnSource source(ConfigNode data) {
    return BINDER
        .bind(
            Wrapper.class,
            new Mapping(List.of(new Entry("data", data.origin(), data)), data.origin()))
        .data();
  }

  /** The samples with everything that was found about them. */
  private OwnSamples read(DataFiles files) {
    return data.map(each -> source(each).read(inputs, classes, true, files))
        .orElseGet(
            () ->
                new OwnSamples(
                    List.of(),
                    new FloatFeatures(new float[0], inputs.width()),
                    Ints.of(),
                    List.of()));
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    OwnSamples samples = read(files);
    Optional<OwnFinding> obstacle = samples.obstacle();
    if (obstacle.isPresent()) {
      throw new OperatorException(
          OperatorException.DATA_MISSING, "the node's data: " + obstacle.get().line());
    }
    return new Dataset(
            "own",
            inputs.sampleShape(),
            classes.size(),
            new Samples(samples.features(), samples.labels()),
            new Samples(new FloatFeatures(new float[0], inputs.width()), Ints.of()))
        .named(classes.toArray(String[]::new));
  }
}
