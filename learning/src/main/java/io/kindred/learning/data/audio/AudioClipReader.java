package io.kindred.learning.data.audio;

import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Scaling;
import io.kindred.learning.data.TrainTestSplit;
import io.kindred.learning.data.Users;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Turns labelled WAV files into a data set of log-mel pictures. */
final class AudioClipReader {
  /**
   * One file: its name in the set, the number of the word, the speaker, and whether it is a test
   * clip.
   */
  record Clip(String file, int label, String speaker, boolean test) {}

  private final String set;
  private final int rate;
  private final int bands;

  AudioClipReader(String set, int rate, int bands) {
    this.set = set;
    this.rate = rate;
    this.bands = bands;
  }

  /** Reads clips of one second; {@code clips} must be sorted by file. */
  Dataset read(DataFiles files, int classes, List<Clip> clips) {
    LogMel logMel = new LogMel(rate, bands, rate);
    int width = logMel.width();
    TrainTestSplit<Clip> parts = new TrainTestSplit<>(clips, Clip::test);
    float[] train = new float[Math.multiplyExact(parts.train().size(), width)];
    float[] test = new float[Math.multiplyExact(parts.test().size(), width)];
    files.readAll(
        set,
        clips.stream().map(Clip::file).toList(),
        (index, bytes) -> {
          Clip clip = clips.get(index);
          float[] sound = Wav.decode(set + "/" + clip.file(), bytes, rate);
          logMel.write(sound, clip.test() ? test : train, parts.positionInPart(index) * width);
        });
    Scaling.fitAndApply(train, test, width, width / bands);
    SortedSet<String> speakers = new TreeSet<>();
    clips.forEach(clip -> speakers.add(clip.speaker()));
    List<String> names = List.copyOf(speakers);
    return new Dataset(
        set,
        List.of(1, bands, width / bands),
        classes,
        samples(parts.train(), new FloatFeatures(train, width), names),
        samples(parts.test(), new FloatFeatures(test, width), names));
  }

  private static Samples samples(List<Clip> part, Features features, List<String> names) {
    List<String> speakers = part.stream().map(Clip::speaker).toList();
    return new Samples(
        features, TrainTestSplit.labels(part, Clip::label), Optional.of(Users.of(speakers, names)));
  }
}
