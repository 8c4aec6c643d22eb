package io.kindred.learning.data.audio;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.format.FileName;
import io.kindred.learning.data.format.TextLines;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Google Speech Commands (Warden, 2018): a folder per word, files named {@code
 * SPEAKER_nohash_N.wav}. The test files are those that {@code testing_list.txt} names. The files of
 * {@code validation_list.txt} are left out of training by default, so that results compare with
 * published ones. Background noise is no word.
 */
@Named(
    value = "speech-commands",
    summary = "spoken words as log-mel pictures, up to 35 classes, speakers as users")
public record SpeechCommands(
    @Setting(doc = "words that are the classes; an empty list takes every folder", fallback = "[]")
        List<String> words,
    @Setting(
            doc = "whether the files of the validation list are training samples",
            fallback = "false")
        boolean validation,
    @Setting(
            doc = "samples per second; files are resampled to this rate",
            fallback = "16000",
            min = 4000)
        int rate,
    @Setting(doc = "bands of the mel scale", fallback = "40", min = 4, max = 256) int bands)
    implements DataSource {
  private static final String SET = "speech-commands";
  private static final String BACKGROUND = "_background_noise_";
  private static final String SPEAKER_ENDS = "_nohash_";

  public SpeechCommands {
    words = List.copyOf(words);
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    List<String> names =
        files.list(
            SET, "WORD/*.wav", name -> name.endsWith(".wav") && !name.contains(BACKGROUND + "/"));
    List<String> classes = classes(names);
    SortedSet<String> testing = readFileList(files, "testing_list.txt");
    SortedSet<String> heldOut =
        validation ? new TreeSet<>() : readFileList(files, "validation_list.txt");
    List<AudioClipReader.Clip> clips = new ArrayList<>();
    for (String name : names) {
      List<String> tail = FileName.lastParts(name, 2);
      int label = Collections.binarySearch(classes, tail.getFirst());
      String id = String.join("/", tail);
      if (label >= 0 && !heldOut.contains(id)) {
        clips.add(
            new AudioClipReader.Clip(
                name, label, speaker(name, tail.getLast()), testing.contains(id)));
      }
    }
    requireBothParts(clips);
    return new AudioClipReader(SET, rate, bands)
        .read(files, classes.size(), clips)
        .read(DataReading.ofClasses(classes));
  }

  private List<String> classes(List<String> names) {
    SortedSet<String> available = new TreeSet<>();
    for (String name : names) {
      List<String> tail = FileName.lastParts(name, 2);
      if (tail.isEmpty()) {
        throw new DamagedDataException(
            SET + "/" + name, "its name", "the file is not in a folder named after a word");
      }
      available.add(tail.getFirst());
    }
    for (String word : words) {
      if (!available.contains(word)) {
        throw new SettingException(
            "dataset.words",
            "there is no folder for the word '" + word + "'",
            "choose among " + String.join(", ", available));
      }
    }
    return List.copyOf(words.isEmpty() ? available : new TreeSet<>(words));
  }

  private static String speaker(String name, String file) {
    int end = file.indexOf(SPEAKER_ENDS);
    if (end < 1) {
      throw new DamagedDataException(
          SET + "/" + name, "its name", "SPEAKER_nohash_N.wav is expected");
    }
    return file.substring(0, end);
  }

  private static SortedSet<String> readFileList(DataFiles files, String list) {
    TextLines lines = TextLines.of(SET + "/" + list, files.read(SET, list));
    SortedSet<String> names = new TreeSet<>();
    for (int i = 0; i < lines.count(); i++) {
      if (lines.line(i).indexOf('/') < 0) {
        throw lines.damaged(i, "WORD/FILE.wav is expected, not '" + lines.line(i) + "'");
      }
      names.add(lines.line(i).strip());
    }
    return names;
  }

  private static void requireBothParts(List<AudioClipReader.Clip> clips) {
    long tests = clips.stream().filter(AudioClipReader.Clip::test).count();
    if (tests == 0 || tests == clips.size()) {
      throw new DamagedDataException(
          SET + "/testing_list.txt",
          "line 1",
          "the list names " + tests + " of " + clips.size() + " files");
    }
  }
}
