package io.kindred.learning.data.text;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.TaskDescriptionBuilder;
import io.kindred.learning.data.UnusedFile;
import io.kindred.learning.data.Users;
import io.kindred.learning.data.format.FolderTree;
import io.kindred.learning.data.format.OwnData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A user's own texts in folders that name their classes, as weighted words. */
@Named(
    value = "texts",
    summary = "your own texts: one folder per class; txt files as weighted words")
public record DocumentFolder(
    @Setting(
            doc = "folder of the texts: a path below the data folder, or any other path",
            fallback = "texts")
        String folder,
    @Setting(
            doc =
                "which folder is a text's class: `auto`, the only one, and a deeper tree is"
                    + " refused; `path`, all together; `first` or `last`; `name`, the beginning of"
                    + " the file's name up to _, - or point",
            fallback = "auto")
        FolderTree.ClassRule classes,
    @Setting(
            doc =
                "who wrote a text: `none`; the `first` or `last` folder; `name`, the beginning of"
                    + " the file's name",
            fallback = "none")
        FolderTree.UserRule users,
    @Setting(doc = "most words in the feature vector of a text", fallback = "2000", min = 10)
        int vocabulary,
    @Setting(
            doc =
                "endings of the names of files that are texts; `none` stands for names without a"
                    + " point",
            fallback = "[txt, text, md]")
        List<String> endings,
    @Setting(
            doc =
                "share of each class that becomes the common test set if there are no folders"
                    + " `train` and `test`",
            fallback = "0.2",
            above = 0,
            max = 0.9)
        double testShare,
    @Setting(
            doc =
                "folder of a run whose classes and words are taken, so that new texts are the same"
                    + " task")
        Optional<String> like)
    implements OwnData {
  /** The files that are read if nothing else is said. */
  public static final FolderTree.Kind TEXTS = texts(List.of("txt", "text", "md"));

  /** A text has some hundred words, so that a word's value is about one. */
  static final double TEXT_NORM = 10;

  private record Text(FolderTree.Sample sample, String words) {}

  public DocumentFolder {
    endings = List.copyOf(endings);
    if (endings.isEmpty()) {
      throw new SettingException("endings", "no ending is named", "leave it out, or name some");
    }
  }

  /** Text files whose names have one of the endings. */
  public static FolderTree.Kind texts(List<String> endings) {
    return new FolderTree.Kind("a text file", endings);
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files, Optional<TaskDescription> given) {
    FolderTree tree =
        FolderTree.read(
            files,
            folder,
            texts(endings),
            new FolderTree.Rules(classes, users, testShare),
            streams,
            given);
    List<UnusedFile> unused = new ArrayList<>(tree.unused());
    String[] contents = new String[tree.samples().size()];
    int[] otherEncoding = {0};
    files.readAll(
        folder,
        tree.samples().stream().map(FolderTree.Sample::file).toList(),
        (index, bytes) -> {
          TextFile file = TextFile.decode(folder + "/" + tree.samples().get(index).file(), bytes);
          contents[index] = file.text();
          otherEncoding[0] += file.unicode() ? 0 : 1;
        });
    List<Text> texts = new ArrayList<>();
    for (int i = 0; i < contents.length; i++) {
      FolderTree.Sample sample = tree.samples().get(i);
      if (contents[i].isBlank()) {
        unused.add(new UnusedFile(sample.file(), "empty"));
      } else {
        texts.add(new Text(sample, contents[i]));
      }
    }
    List<Text> train = texts.stream().filter(each -> !each.sample.test()).toList();
    List<Text> test = texts.stream().filter(each -> each.sample.test()).toList();
    TfIdfVocabulary words =
        given
            .map(task -> TfIdfVocabulary.of(task.words()))
            .orElseGet(
                () -> TfIdfVocabulary.fit(train.stream().map(Text::words).toList(), vocabulary));
    if (words.size() == 0) {
      throw new DamagedDataException(
          folder, "its texts", "no word occurs in two texts and in at most half of them");
    }
    List<String> remarks = remarks(tree, words, texts, otherEncoding[0]);
    Dataset dataset =
        new Dataset(
            "texts",
            List.of(words.size()),
            tree.classes().size(),
            samples(tree, train, words),
            samples(tree, test, words));
    return dataset.read(
        new DataReading(
            TaskDescriptionBuilder.from(TaskDescription.ofClasses(tree.classes()))
                .words(words.words())
                .build(),
            texts.size(),
            unused,
            remarks));
  }

  private static Samples samples(FolderTree tree, List<Text> part, TfIdfVocabulary words) {
    List<SparseFeatures.Row> rows =
        part.stream().map(each -> words.row(each.words, TEXT_NORM)).toList();
    return new Samples(
        new SparseFeatures(rows, words.size()),
        Ints.wrap(part.stream().mapToInt(each -> each.sample.label()).toArray()),
        tree.users().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Users(
                    Ints.wrap(part.stream().mapToInt(each -> each.sample.user()).toArray()),
                    tree.users())));
  }

  private static List<String> remarks(
      FolderTree tree, TfIdfVocabulary words, List<Text> texts, int otherEncoding) {
    List<String> remarks = new ArrayList<>();
    remarks.add(words.size() + " words of the training texts are the inputs");
    long unknown =
        IntStream.range(0, texts.size())
            .filter(i -> words.row(texts.get(i).words, TEXT_NORM).isEmpty())
            .count();
    if (unknown > 0) {
      remarks.add(unknown + " of " + texts.size() + " texts have none of these words");
    }
    if (otherEncoding > 0) {
      remarks.add(
          otherEncoding + " of " + texts.size() + " are not UTF-8 and read as Windows-1252");
    }
    remarks.addAll(tree.remarks());
    return remarks;
  }
}
