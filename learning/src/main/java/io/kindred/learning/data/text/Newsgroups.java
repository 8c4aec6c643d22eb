package io.kindred.learning.data.text;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.format.FileName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * 20 Newsgroups (Lang, 1995) in the version sorted by date: a tree of postings, {@code
 * 20news-bydate-train/GROUP/NUMBER} and {@code 20news-bydate-test/GROUP/NUMBER}, as weighted words.
 * Headers are left out by default: they contain the name of the group nearly in clear text, and
 * accuracy with them means little. A posting's norm after weighting is chosen such that its values
 * have about the size of other data, so that usual step sizes work.
 */
@Named(
    value = "20newsgroups",
    summary = "postings as weighted words, headers stripped, 20 classes, 11,314 + 7,532")
public record Newsgroups(
    @Setting(
            doc = "number of words in the feature vector of a posting",
            fallback = "10000",
            min = 10)
        int vocabulary,
    @Setting(doc = "whether headers count as text", fallback = "false") boolean headers,
    @Setting(doc = "whether signatures count as text", fallback = "true") boolean footers,
    @Setting(doc = "whether quotations count as text", fallback = "true") boolean quotes,
    @Setting(
            doc = "token ids of a posting, for the model albert; 0 uses weighted words instead",
            fallback = "0",
            min = 0)
        int tokens,
    @Setting(
            doc =
                "SentencePiece file of the tokens, such as spiece.model; if empty, pieces are"
                    + " counted from the training texts")
        Optional<String> pieces)
    implements DataSource {
  private static final String SET = "20newsgroups";

  /** A text has some hundred words, so that a word's value is about one. */
  private static final double TEXT_NORM = 10;

  /** Describes postings by weighted words. */
  public Newsgroups(int vocabulary, boolean headers, boolean footers, boolean quotes) {
    this(vocabulary, headers, footers, quotes, 0, Optional.empty());
  }

  private record Part(List<String> texts, Ints labels) {}

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    List<String> trainNames = names(files, "20news-bydate-train");
    TreeSet<String> found = new TreeSet<>();
    trainNames.forEach(name -> found.add(FileName.lastParts(name, 2).getFirst()));
    List<String> groups = List.copyOf(found);
    Part train = read(files, trainNames, groups);
    Part test = read(files, names(files, "20news-bydate-test"), groups);
    if (tokens > 0) {
      Tokenizer tokenizer =
          pieces
              .map(
                  file ->
                      new Tokenizer(
                          SentencePieceFile.read(SET + "/" + file, files.read(SET, file))))
              .orElseGet(() -> Tokenizer.fit(train.texts, vocabulary));
      return new Dataset(
              SET,
              List.of(tokens),
              groups.size(),
              samples(train, tokenizer),
              samples(test, tokenizer))
          .read(DataReading.ofClasses(groups));
    }
    TfIdfVocabulary words = TfIdfVocabulary.fit(train.texts, vocabulary);
    return new Dataset(
            SET, List.of(words.size()), groups.size(), samples(train, words), samples(test, words))
        .read(DataReading.ofClasses(groups));
  }

  private static List<String> names(DataFiles files, String part) {
    return files.list(
        SET,
        part + "/GROUP/NUMBER",
        name -> {
          List<String> tail = FileName.lastParts(name, 3);
          return !tail.isEmpty() && tail.getFirst().equals(part);
        });
  }

  private Part read(DataFiles files, List<String> names, List<String> groups) {
    String[] texts = new String[names.size()];
    int[] labels = new int[names.size()];
    files.readAll(
        SET,
        names,
        (index, bytes) -> {
          String file = SET + "/" + names.get(index);
          if (bytes.length == 0) {
            throw new DamagedDataException(file, "byte 0", "the posting is empty");
          }
          String group = FileName.lastParts(names.get(index), 2).getFirst();
          labels[index] = Collections.binarySearch(groups, group);
          if (labels[index] < 0) {
            throw new DamagedDataException(
                file, "its name", "there is no training posting of the group " + group);
          }
          texts[index] = text(new String(bytes, StandardCharsets.ISO_8859_1));
        });
    return new Part(List.of(texts), Ints.wrap(labels));
  }

  private String text(String post) {
    String unix = post.replace("\r\n", "\n");
    String text = headers ? unix : NewsPost.withoutHeaders(unix);
    text = footers ? text : NewsPost.withoutFooter(text);
    return quotes ? text : NewsPost.withoutQuotes(text);
  }

  private static Samples samples(Part part, TfIdfVocabulary words) {
    List<SparseFeatures.Row> rows = new ArrayList<>();
    part.texts.forEach(text -> rows.add(words.row(text, TEXT_NORM)));
    return new Samples(new SparseFeatures(rows, words.size()), part.labels);
  }

  private Samples samples(Part part, Tokenizer tokenizer) {
    float[] numbers = new float[part.texts.size() * tokens];
    for (int i = 0; i < part.texts.size(); i++) {
      Ints encoded = tokenizer.encode(part.texts.get(i), tokens);
      for (int t = 0; t < tokens; t++) {
        numbers[i * tokens + t] = encoded.get(t);
      }
    }
    return new Samples(new FloatFeatures(numbers, tokens), part.labels);
  }
}
