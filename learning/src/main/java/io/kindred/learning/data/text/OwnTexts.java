package io.kindred.learning.data.text;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.WordWeight;
import io.kindred.learning.data.own.ClassFolder;
import io.kindred.learning.data.own.OwnSamples;
import io.kindred.learning.data.own.OwnSource;
import io.kindred.learning.data.own.SampleCollector;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.data.own.TaskSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Texts of one owner: a folder for each class. */
@Named(value = "texts", summary = "texts: one folder per class; txt files as weighted words")
public record OwnTexts(@Setting(doc = "the folder") String folder) implements OwnSource {
  /** Words of a new task; an author edits the file for others. */
  private static final int SUGGESTED_WORDS = 300;

  @Override
  public String location() {
    return folder;
  }

  private ClassFolder texts() {
    return new ClassFolder(folder, "text files", DocumentFolder.TEXTS::has);
  }

  @Override
  public OwnSamples read(
      TaskInputs inputs, List<String> classes, boolean labelled, DataFiles files) {
    SampleCollector collector = new SampleCollector(inputs, classes);
    if (inputs.words().isEmpty()) {
      collector.reportOtherKind(folder + " holds texts", inputs);
      return collector.samples();
    }
    texts().reportUnused(files, collector);
    TfIdfVocabulary words =
        TfIdfVocabulary.of(
            inputs.words().stream()
                .map(each -> new WordWeight(each.word(), each.weight()))
                .toList());
    visit(
        files,
        (name, text) -> {
          if (text.isBlank()) {
            collector.reportAt(name, "the text is empty", "remove the file");
            return;
          }
          float[] values = new float[words.size()];
          new SparseFeatures(List.of(words.row(text, DocumentFolder.TEXT_NORM)), words.size())
              .copy(0, values, 0);
          collector.addOf(ClassFolder.className(name), name, values, labelled);
        });
    return collector.samples();
  }

  /** Receives the text of a file. */
  private interface Visitor {
    void visit(String name, String text);
  }

  private void visit(DataFiles files, Visitor visitor) {
    List<String> names = texts().names(files);
    files.readAll(
        folder,
        names,
        (index, bytes) -> {
          String name = names.get(index);
          visitor.visit(name, TextFile.decode(folder + "/" + name, bytes).text());
        });
  }

  @Override
  public TaskSuggestion suggest(DataFiles files) {
    TreeSet<String> classes = new TreeSet<>();
    List<String> all = new ArrayList<>();
    visit(
        files,
        (name, text) -> {
          classes.add(ClassFolder.className(name));
          all.add(text);
        });
    List<TaskInputs.Word> words =
        TfIdfVocabulary.fit(all, SUGGESTED_WORDS).words().stream()
            .map(each -> new TaskInputs.Word(each.word(), SampleCollector.rounded(each.weight())))
            .toList();
    if (words.isEmpty()) {
      throw new DamagedDataException(
          folder, "its texts", "no word occurs in two texts and in at most half of them");
    }
    return new TaskSuggestion(TaskInputs.ofWords(words), List.copyOf(classes));
  }
}
