package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Turns WAV files, of which it is known who says what, into a data set of log-mel pictures. */
final class Clips {
  /** One file: its name in the set, the number of the word, who speaks, and which part it is in. */
  record Clip(String file, int label, String speaker, boolean test) {}

  private final String set;
  private final int rate;
  private final int bands;

  Clips(String set, int rate, int bands) {
    this.set = set;
    this.rate = rate;
    this.bands = bands;
  }

  /** Clips of one second; {@code clips} come sorted by file. */
  Dataset read(DataFiles files, int classes, List<Clip> clips) {
    LogMel logMel = new LogMel(rate, bands, rate);
    int width = logMel.width();
    int[] places = places(clips);
    int tests = (int) clips.stream().filter(Clip::test).count();
    float[] train = new float[(clips.size() - tests) * width];
    float[] test = new float[tests * width];
    files.readAll(
        set,
        clips.stream().map(Clip::file).toList(),
        (index, bytes) -> {
          Clip clip = clips.get(index);
          float[] sound = Wav.decode(set + "/" + clip.file(), bytes, rate);
          logMel.write(sound, clip.test() ? test : train, places[index] * width);
        });
    Scaling.fitAndApply(train, test, width, width / bands);
    SortedSet<String> speakers = new TreeSet<>();
    clips.forEach(clip -> speakers.add(clip.speaker()));
    List<String> names = List.copyOf(speakers);
    return new Dataset(
        set,
        List.of(1, bands, width / bands),
        classes,
        samples(clips, false, train, width, names),
        samples(clips, true, test, width, names));
  }

  /** Where each clip stands within its part. */
  private static int[] places(List<Clip> clips) {
    int[] places = new int[clips.size()];
    int[] next = new int[2];
    for (int i = 0; i < places.length; i++) {
      places[i] = next[clips.get(i).test() ? 1 : 0]++;
    }
    return places;
  }

  private static Samples samples(
      List<Clip> clips, boolean test, float[] values, int width, List<String> names) {
    List<String> speakers = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (Clip clip : clips) {
      if (clip.test() == test) {
        speakers.add(clip.speaker());
        labels.add(clip.label());
      }
    }
    return new Samples(
        new FloatFeatures(values, width),
        Ints.wrap(labels.stream().mapToInt(Integer::intValue).toArray()),
        Optional.of(Users.of(speakers, names)));
  }

  /** The last parts of a file's name, the name itself last; empty where it has fewer. */
  static List<String> tail(String file, int parts) {
    List<String> words = new ArrayList<>();
    Collections.addAll(words, file.split("/", -1));
    return words.size() < parts ? List.of() : words.subList(words.size() - parts, words.size());
  }
}
