package io.kindred.cli.data;

import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.TableColumn;
import io.kindred.learning.data.Task;
import io.kindred.learning.data.UnusedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * What a file or folder holds, how Kindred would read it, and what may be wrong with it.
 *
 * @param data the kind of data in words
 * @param settings of the data set that were chosen, as in an experiment file
 * @param reasons why they were chosen
 * @param reading what becomes of the samples
 * @param used files or rows that give samples
 * @param unused every file or row that gives none
 * @param remarks facts that may surprise
 * @param repeated samples that occur more than once
 * @param leaks how the test may know the training data, or an input the class
 * @param experiment a file to start from
 */
public record DataCheck(
    String data,
    String path,
    SequencedMap<String, String> settings,
    List<String> reasons,
    DatasetSummary reading,
    List<ClassFact> classes,
    List<TableColumn> columns,
    int used,
    List<UnusedFile> unused,
    List<String> remarks,
    Repetitions.Found repeated,
    List<String> leaks,
    String experiment) {
  /** A class with its samples and some of their files. */
  public record ClassFact(String name, int train, int test, List<String> examples) {
    public ClassFact {
      examples = List.copyOf(examples);
    }
  }

  public DataCheck {
    reasons = List.copyOf(reasons);
    classes = List.copyOf(classes);
    columns = List.copyOf(columns);
    unused = List.copyOf(unused);
    remarks = List.copyOf(remarks);
    leaks = List.copyOf(leaks);
  }

  /** Whether the data have numbers to predict and no classes. */
  boolean isRegression() {
    return columns.stream().anyMatch(each -> each.use() == TableColumn.Use.TARGET);
  }

  /** Reads the data as an experiment would, and compares what it finds. */
  public static DataCheck of(
      String path, DataGuess guess, DataSource source, DataFiles files, long seed) {
    RandomStreams streams = new RandomStreams(seed);
    Dataset dataset = source.load(streams, files);
    DataReading reading = dataset.reading();
    DatasetSummary summary = DatasetSummary.of(dataset);
    Optional<SampleFiles> sampleFiles =
        guess.files().map(kind -> SampleFiles.of(guess, kind, files, streams, reading));
    List<ClassFact> classes = new ArrayList<>();
    for (int label = 0; label < dataset.classes(); label++) {
      int number = label;
      classes.add(
          new ClassFact(
              dataset.className(label),
              summary.trainPerClass().get(label),
              summary.testPerClass().get(label),
              sampleFiles.map(each -> each.examples(number)).orElse(List.of())));
    }
    Repetitions repetitions = new Repetitions(dataset, sampleFiles);
    Leaks leaks = new Leaks(dataset, repetitions.found());
    return new DataCheck(
        words(guess.kind(), dataset.task()),
        path,
        guess.settings(),
        guess.reasons(),
        summary,
        classes,
        reading.columns(),
        reading.used(),
        reading.unused(),
        reading.remarks(),
        repetitions.found(),
        leaks.lines(),
        ExperimentDraft.of(path, guess, dataset));
  }

  private static String words(DataGuess.Kind kind, Task task) {
    return switch (kind) {
      case PICTURES -> "pictures in folders";
      case SOUNDS -> "sounds in folders";
      case TEXTS -> "texts in folders";
      case TABLE ->
          task == Task.REGRESSION ? "a table with numbers to predict" : "a table with a class";
      case TENSORS -> "tensors";
    };
  }
}
