package io.kindred.learning.data.audio;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Scaling;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.UnusedFile;
import io.kindred.learning.data.Users;
import io.kindred.learning.data.format.FolderTree;
import io.kindred.learning.data.format.OwnData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A user's own sounds in folders that name their classes, as log-mel pictures. */
@Named(
    value = "sounds",
    summary = "your own sounds: one folder per class; wav files as log-mel pictures")
public record SoundFolder(
    @Setting(
            doc = "folder of the sounds: a path below the data folder, or any other path",
            fallback = "sounds")
        String folder,
    @Setting(
            doc =
                "which folder is a sound's class: `auto`, the only one, and a deeper tree is"
                    + " refused; `path`, all together; `first` or `last`; `name`, the beginning of"
                    + " the file's name up to _, - or point",
            fallback = "auto")
        FolderTree.ClassRule classes,
    @Setting(
            doc =
                "who is heard: `none`; the `first` or `last` folder; `name`, the beginning of the"
                    + " file's name",
            fallback = "none")
        FolderTree.UserRule users,
    @Setting(
            doc = "samples per second; files are resampled to this rate",
            fallback = "8000",
            min = 4000,
            max = 48000)
        int rate,
    @Setting(
            doc =
                "length of a clip; a shorter sound gets silence at both ends, a longer one is cut"
                    + " at both",
            fallback = "1",
            min = 0.1,
            max = 60)
        double seconds,
    @Setting(doc = "bands of the mel scale", fallback = "40", min = 4, max = 256) int bands,
    @Setting(
            doc = "whether a damaged file is left out instead of ending the reading",
            fallback = "false")
        boolean skipDamaged,
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
                "folder of a run whose classes and scaling are taken, so that new sounds are the"
                    + " same task")
        Optional<String> like)
    implements OwnData {
  /** The files that are read. */
  public static final FolderTree.Kind SOUNDS =
      new FolderTree.Kind("a wav file", List.of("wav", "wave"));

  /** Lengths and rates that were found. */
  private static final class Found {
    private double shortest = Double.POSITIVE_INFINITY;
    private double longest;
    private int padded;
    private int cut;
    private final SortedMap<Integer, Integer> rates = new TreeMap<>();

    void add(Wav.Sound sound, double seconds) {
      double length = sound.values().length / (double) sound.rate();
      shortest = Math.min(shortest, length);
      longest = Math.max(longest, length);
      padded += length < seconds ? 1 : 0;
      cut += length > seconds ? 1 : 0;
      rates.merge(sound.rate(), 1, Integer::sum);
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files, Optional<TaskDescription> given) {
    FolderTree tree =
        FolderTree.read(
            files, folder, SOUNDS, new FolderTree.Rules(classes, users, testShare), streams, given);
    int clip = (int) Math.round(seconds * rate);
    LogMel logMel = new LogMel(rate, bands, clip);
    int width = logMel.width();
    List<UnusedFile> unused = new ArrayList<>(tree.unused());
    float[][] values = new float[tree.samples().size()][];
    Found found = new Found();
    files.readAll(
        folder,
        tree.samples().stream().map(FolderTree.Sample::file).toList(),
        (index, bytes) -> {
          String file = tree.samples().get(index).file();
          try {
            Wav.Sound sound = Wav.read(folder + "/" + file, bytes);
            found.add(sound, seconds);
            values[index] = new float[width];
            logMel.write(Resampler.resample(sound.values(), sound.rate(), rate), values[index], 0);
          } catch (DamagedDataException damaged) {
            if (!skipDamaged) {
              throw damaged;
            }
            unused.add(new UnusedFile(file, String.valueOf(damaged.getMessage())));
          }
        });
    return dataset(tree, values, width, given, unused, remarks(tree, found, values));
  }

  private Dataset dataset(
      FolderTree tree,
      float[][] values,
      int width,
      Optional<TaskDescription> given,
      List<UnusedFile> unused,
      List<String> remarks) {
    float[] train = part(tree, values, width, false);
    float[] test = part(tree, values, width, true);
    int frames = width / bands;
    Scaling scaling =
        given
            .map(task -> Scaling.of(task.scales(), frames))
            .orElseGet(() -> Scaling.fit(train, width, frames));
    scaling.apply(train);
    scaling.apply(test);
    Dataset dataset =
        new Dataset(
            "sounds",
            List.of(1, bands, frames),
            tree.classes().size(),
            samples(tree, values, new FloatFeatures(train, width), false),
            samples(tree, values, new FloatFeatures(test, width), true));
    int used = (int) Arrays.stream(values).filter(each -> each != null).count();
    return dataset.read(
        new DataReading(
            TaskDescription.of(tree.classes(), scaling.scales()), used, unused, remarks));
  }

  private static List<FolderTree.Sample> read(FolderTree tree, float[][] values, boolean test) {
    List<FolderTree.Sample> read = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null && tree.samples().get(i).test() == test) {
        read.add(tree.samples().get(i));
      }
    }
    return read;
  }

  private static float[] part(FolderTree tree, float[][] values, int width, boolean test) {
    float[] part = new float[Math.multiplyExact(read(tree, values, test).size(), width)];
    int at = 0;
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null && tree.samples().get(i).test() == test) {
        System.arraycopy(values[i], 0, part, at, width);
        at += width;
      }
    }
    return part;
  }

  private static Samples samples(
      FolderTree tree, float[][] values, Features features, boolean test) {
    List<FolderTree.Sample> read = read(tree, values, test);
    Ints labels = Ints.wrap(read.stream().mapToInt(FolderTree.Sample::label).toArray());
    return new Samples(
        features,
        labels,
        tree.users().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Users(
                    Ints.wrap(read.stream().mapToInt(FolderTree.Sample::user).toArray()),
                    tree.users())));
  }

  private List<String> remarks(FolderTree tree, Found found, float[][] values) {
    List<String> remarks = new ArrayList<>();
    remarks.add(
        String.format(
            Locale.ROOT,
            "sounds of %.2f to %.2f s at %s Hz become clips of %s s at %d Hz",
            found.shortest,
            found.longest,
            String.join(", ", found.rates.keySet().stream().map(String::valueOf).toList()),
            seconds,
            rate));
    if (found.padded > 0) {
      remarks.add(found.padded + " of " + values.length + " get silence at both ends");
    }
    if (found.cut > 0) {
      remarks.add(
          found.cut
              + " of "
              + values.length
              + " are cut at both ends; a larger dataset.seconds keeps them whole");
    }
    remarks.addAll(tree.remarks());
    return remarks;
  }
}
