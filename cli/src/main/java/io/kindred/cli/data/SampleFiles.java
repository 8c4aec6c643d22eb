package io.kindred.cli.data;

import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Digest;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.UnusedFile;
import io.kindred.learning.data.format.FolderTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The files of the samples of a data set, in the order of its samples.
 *
 * @param digests of the contents of the files
 */
record SampleFiles(List<FolderTree.Sample> samples, List<String> digests) {
  private static final int MOST_EXAMPLES = 2;

  SampleFiles {
    samples = List.copyOf(samples);
    digests = List.copyOf(digests);
  }

  static SampleFiles of(
      DataGuess guess,
      FolderTree.Kind kind,
      DataFiles files,
      RandomStreams streams,
      DataReading reading) {
    FolderTree tree =
        FolderTree.read(
            files,
            unquoted(guess.settings().getOrDefault("folder", "")),
            kind,
            new FolderTree.Rules(
                FolderTree.ClassRule.valueOf(word(guess, "classes", "auto")),
                FolderTree.UserRule.valueOf(word(guess, "users", "none")),
                Double.parseDouble(guess.settings().getOrDefault("testShare", "0.2"))),
            streams,
            Optional.of(TaskDescription.ofClasses(reading.task().classes())));
    Set<String> unused = new HashSet<>(reading.unused().stream().map(UnusedFile::file).toList());
    List<FolderTree.Sample> used =
        tree.samples().stream().filter(each -> !unused.contains(each.file())).toList();
    String[] digests = new String[used.size()];
    files.readAll(
        unquoted(guess.settings().getOrDefault("folder", "")),
        used.stream().map(FolderTree.Sample::file).toList(),
        (index, bytes) -> digests[index] = Digest.of(bytes).hex());
    return new SampleFiles(used, List.of(digests));
  }

  private static String word(DataGuess guess, String key, String usual) {
    return guess.settings().getOrDefault(key, usual).toUpperCase(Locale.ROOT);
  }

  private static String unquoted(String text) {
    return text.startsWith("'") ? text.substring(1, text.length() - 1).replace("''", "'") : text;
  }

  List<String> examples(int label) {
    List<String> examples = new ArrayList<>();
    for (FolderTree.Sample each : samples) {
      if (each.label() == label && examples.size() < MOST_EXAMPLES) {
        examples.add(each.file());
      }
    }
    return examples;
  }
}
