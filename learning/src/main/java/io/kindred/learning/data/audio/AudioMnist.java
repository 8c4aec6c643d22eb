package io.kindred.learning.data.audio;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.format.FileName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * AudioMNIST (Becker et al.): 60 speakers say the ten digits, as a tree of WAV files named {@code
 * SPEAKER/DIGIT_SPEAKER_REPETITION.wav}. The users are the speakers. The test set does not depend
 * on the seed: it has every fifth repetition, or every fifth speaker.
 */
@Named(
    value = "audiomnist",
    summary = "spoken digits as log-mel pictures, 10 classes, 60 speakers as users")
public record AudioMnist(
    @Setting(
            doc =
                "what the common test set holds: unseen clips of all speakers, or unseen speakers",
            fallback = "clips")
        Split split,
    @Setting(
            doc = "samples per second; files are resampled to this rate",
            fallback = "8000",
            min = 4000)
        int rate,
    @Setting(doc = "bands of the mel scale", fallback = "40", min = 4, max = 256) int bands)
    implements DataSource {
  /** What the test set holds: unseen clips or unseen speakers. */
  public enum Split {
    CLIPS,
    SPEAKERS
  }

  private static final String SET = "audiomnist";
  private static final Pattern NAME = Pattern.compile("(\\d+)_(\\d+)_(\\d+)\\.wav");
  private static final int TEST_EVERY = 5;

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    List<AudioClipReader.Clip> clips = new ArrayList<>();
    for (String file : files.list(SET, "*.wav", name -> name.endsWith(".wav"))) {
      clips.add(clip(file));
    }
    return new AudioClipReader(SET, rate, bands).read(files, 10, clips);
  }

  private AudioClipReader.Clip clip(String file) {
    Matcher parts = NAME.matcher(FileName.lastParts(file, 1).getFirst());
    if (!parts.matches()) {
      throw new DamagedDataException(
          SET + "/" + file, "its name", "DIGIT_SPEAKER_REPETITION.wav is expected");
    }
    if (parts.group(1).length() > 1) {
      throw new DamagedDataException(
          SET + "/" + file, "its name", "label " + parts.group(1) + " of 10 classes");
    }
    String decides = parts.group(split == Split.CLIPS ? 3 : 2);
    // The last digit decides: repetitions count from 0 and speakers from 1.
    int last = decides.charAt(decides.length() - 1) - '0';
    boolean test = last % TEST_EVERY == (split == Split.CLIPS ? TEST_EVERY - 1 : 0);
    return new AudioClipReader.Clip(file, parts.group(1).charAt(0) - '0', parts.group(2), test);
  }
}
