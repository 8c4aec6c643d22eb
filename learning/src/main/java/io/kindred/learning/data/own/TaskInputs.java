package io.kindred.learning.data.own;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.record.Buildable;
import io.kindred.learning.data.SoundFrames;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The inputs of a task's samples. All nodes scale by the numbers written here, never by statistics
 * of their own data.
 */
@Buildable
public record TaskInputs(
    @Setting(doc = "columns of a table, in the order of the model's inputs", fallback = "[]")
        List<Column> columns,
    @Setting(doc = "size and scaling of pictures") Optional<Pictures> pictures,
    @Setting(doc = "length and scaling of sounds") Optional<Sounds> sounds,
    @Setting(doc = "the words that describe texts, in the order of the inputs", fallback = "[]")
        List<Word> words,
    @Setting(doc = "shape of a sample of tensors, which are not scaled", fallback = "[]")
        List<Integer> shape) {
  private static final TaskInputs ONE_VALUE =
      new TaskInputs(List.of(), Optional.empty(), Optional.empty(), List.of(), List.of(1));

  /**
   * One input from a column of a table; a value enters the model as (value - mean) / deviation. A
   * column of words has one input for each of its words.
   */
  public record Column(
      @Setting(doc = "name of the column") String name,
      @Setting(
              doc =
                  "of a column of words: the word for which the value is 1; it is 0 for the other"
                      + " words that the task names for this column")
          Optional<String> word,
      @Setting(doc = "value that becomes 0", fallback = "0") double mean,
      @Setting(doc = "distance from the mean that becomes 1", fallback = "1", above = 0)
          double deviation) {}

  /** Size and scaling of pictures; a byte enters the model as (byte - mean) / deviation. */
  public record Pictures(
      @Setting(doc = "width and height in pixels", min = 1, max = 4096) int size,
      @Setting(doc = "whether pictures keep their colours", fallback = "true") boolean colour,
      @Setting(doc = "brightness from 0 to 255 that becomes 0", fallback = "127.5") double mean,
      @Setting(doc = "distance from the mean that becomes 1", fallback = "64", above = 0)
          double deviation) {
    /** Colours, height and width of a sample. */
    public List<Integer> shape() {
      return List.of(colour ? 3 : 1, size, size);
    }
  }

  /**
   * Length and scaling of sounds. A sound becomes the logarithm of its energy by band and frame,
   * and enters the model as (value - mean) / deviation.
   */
  public record Sounds(
      @Setting(
              doc = "samples per second; sounds are resampled to this rate",
              fallback = "8000",
              min = 4000,
              max = 48000)
          int rate,
      @Setting(
              doc =
                  "length of a sound; a shorter one gets silence at both ends, a longer one is cut"
                      + " at both",
              fallback = "1",
              min = 0.1,
              max = 60)
          double seconds,
      @Setting(doc = "bands of the mel scale", fallback = "40", min = 4, max = 256) int bands,
      @Setting(doc = "logarithm that becomes 0") double mean,
      @Setting(doc = "distance from the mean that becomes 1", fallback = "1", above = 0)
          double deviation) {
    /** Values of a sound of this length. */
    public int clip() {
      return (int) Math.round(seconds * rate);
    }

    /** One channel, bands and frames of a sample. */
    public List<Integer> shape() {
      return List.of(1, bands, SoundFrames.count(clip(), rate));
    }
  }

  /** A word of texts; its weight says how much it distinguishes texts. */
  public record Word(
      @Setting(doc = "the word, in lower case") String word,
      @Setting(doc = "its weight", fallback = "1", above = 0) double weight) {}

  public TaskInputs {
    columns = List.copyOf(columns);
    words = List.copyOf(words);
    shape = List.copyOf(shape);
    int kinds =
        (columns.isEmpty() ? 0 : 1)
            + (pictures.isPresent() ? 1 : 0)
            + (sounds.isPresent() ? 1 : 0)
            + (words.isEmpty() ? 0 : 1)
            + (shape.isEmpty() ? 0 : 1);
    if (kinds != 1) {
      throw new SettingException(
          "inputs",
          "a task has one kind of inputs, but " + kinds + " are given",
          "give one of 'columns', 'pictures', 'sounds', 'words' and 'shape'");
    }
    requireDistinct(
        "columns",
        "column",
        columns.stream().map(each -> each.name() + each.word().map(" is "::concat).orElse("")));
    requireDistinct("words", "word", words.stream().map(Word::word));
    if (shape.stream().anyMatch(each -> each < 1)) {
      throw new SettingException(
          "shape", "the shape is " + shape, "give whole numbers of at least 1");
    }
  }

  private static void requireDistinct(String key, String what, Stream<String> all) {
    TreeSet<String> names = new TreeSet<>();
    all.filter(each -> !names.add(each))
        .findFirst()
        .ifPresent(
            twice -> {
              throw new SettingException(
                  key, "the " + what + " '" + twice + "' is named twice", "name each once");
            });
  }

  /** Inputs that are columns of a table. */
  public static TaskInputs ofColumns(List<Column> columns) {
    return TaskInputsBuilder.from(ONE_VALUE).shape(List.of()).columns(columns).build();
  }

  /** Inputs that are pictures. */
  public static TaskInputs ofPictures(Pictures pictures) {
    return TaskInputsBuilder.from(ONE_VALUE)
        .shape(List.of())
        .pictures(Optional.of(pictures))
        .build();
  }

  /** Inputs that are sounds. */
  public static TaskInputs ofSounds(Sounds sounds) {
    return TaskInputsBuilder.from(ONE_VALUE).shape(List.of()).sounds(Optional.of(sounds)).build();
  }

  /** Inputs that are words of texts. */
  public static TaskInputs ofWords(List<Word> words) {
    return TaskInputsBuilder.from(ONE_VALUE).shape(List.of()).words(words).build();
  }

  /** Inputs that are tensors of one shape. */
  public static TaskInputs ofShape(List<Integer> shape) {
    return TaskInputsBuilder.from(ONE_VALUE).shape(shape).build();
  }

  /** The words of a column of words. */
  public List<String> wordsOf(String column) {
    return columns.stream()
        .filter(each -> each.name().equals(column))
        .flatMap(each -> each.word().stream())
        .toList();
  }

  /** The shape of one sample as a model sees it. */
  public List<Integer> sampleShape() {
    if (!columns.isEmpty() || !words.isEmpty()) {
      return List.of(columns.size() + words.size());
    }
    return pictures.map(Pictures::shape).or(() -> sounds.map(Sounds::shape)).orElse(shape);
  }

  /** Values of one sample. */
  public int width() {
    return sampleShape().stream().reduce(1, Math::multiplyExact);
  }

  /** What the samples of the task are, for messages. */
  public String kind() {
    if (!columns.isEmpty()) {
      return "a table of " + columns.stream().map(Column::name).distinct().count() + " columns";
    }
    if (!words.isEmpty()) {
      return "texts by " + words.size() + " words";
    }
    if (sounds.isPresent()) {
      return "sounds of " + sounds.get().seconds() + " s";
    }
    return pictures
        .map(each -> "pictures of " + each.size() + " x " + each.size() + " pixels")
        .orElse("tensors of the shape " + shape);
  }
}
