package io.kindred.learning.data.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.Users;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpeechFormatsTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);

  /** A WAV file with an extra chunk of odd length before its sound, as audio editors write it. */
  private static byte[] wav(int rate, int channels, int bits, byte[] sound) {
    ByteBuffer out = ByteBuffer.allocate(12 + 24 + 12 + 8 + sound.length);
    out.order(ByteOrder.LITTLE_ENDIAN);
    out.put(tag("RIFF")).putInt(out.capacity() - 8).put(tag("WAVE"));
    out.put(tag("fmt ")).putInt(16).putShort((short) 1).putShort((short) channels).putInt(rate);
    out.putInt(rate * channels * bits / 8).putShort((short) (channels * bits / 8));
    out.putShort((short) bits);
    out.put(tag("LIST")).putInt(3).put(new byte[4]);
    out.put(tag("data")).putInt(sound.length).put(sound);
    return out.array();
  }

  private static byte[] tag(String name) {
    return name.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] shorts(int... values) {
    ByteBuffer out = ByteBuffer.allocate(2 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      out.putShort((short) value);
    }
    return out.array();
  }

  private static byte[] tone(int rate, double hertz, int length) {
    int[] values = new int[length];
    for (int i = 0; i < length; i++) {
      values[i] = (int) Math.round(16000 * Math.sin(2 * Math.PI * hertz * i / rate));
    }
    return wav(rate, 1, 16, shorts(values));
  }

  @Test
  void allDepthsMonoAndStereoAreRead() {
    assertThat(Wav.decode("a", wav(8000, 1, 16, shorts(16384, -32768, 0)), 8000))
        .containsExactly(0.5f, -1, 0);
    assertThat(Wav.decode("a", wav(8000, 2, 16, shorts(16384, 0, -8192, 8192)), 8000))
        .containsExactly(0.25f, 0);
    assertThat(Wav.decode("a", wav(8000, 1, 8, new byte[] {(byte) 128, 0, (byte) 192}), 8000))
        .containsExactly(0, -1, 0.5f);
    byte[] three = {0, 0, 0x40, 0, 0, (byte) 0x80, 0, 0, (byte) 0xe0};
    assertThat(Wav.decode("a", wav(8000, 1, 24, three), 8000)).containsExactly(0.5f, -1, -0.25f);
    byte[] four = {0, 0, 0, 0x40, 0, 0, 0, (byte) 0x80};
    assertThat(Wav.decode("a", wav(8000, 1, 32, four), 8000)).containsExactly(0.5f, -1);
    byte[] floats =
        wav(
            8000,
            1,
            32,
            ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(0.25f)
                .putFloat(-1)
                .array());
    floats[20] = 3;
    assertThat(Wav.decode("a", floats, 8000)).containsExactly(0.25f, -1);
  }

  @Test
  void damagedSoundsAreNamedWithTheirByte() {
    byte[] whole = tone(8000, 440, 100);
    for (int length : new int[] {0, 11, 20, 40, 55, whole.length - 1}) {
      assertThatThrownBy(() -> Wav.decode("a.wav", Arrays.copyOf(whole, length), 8000))
          .as("length %d", length)
          .isInstanceOf(DamagedDataException.class)
          .hasMessageStartingWith("a.wav is damaged at byte ");
    }
    byte[] compressed = whole.clone();
    compressed[20] = 2;
    assertThatThrownBy(() -> Wav.decode("a.wav", compressed, 8000))
        .hasMessage(
            "a.wav is damaged at byte 20: only PCM of 8, 16, 24 or 32 bits and floats of"
                + " 32 bits are supported, not format 2 of 16");
    assertThatThrownBy(() -> Wav.decode("a.wav", wav(8000, 1, 16, new byte[0]), 8000))
        .hasMessage("a.wav is damaged at byte 56: 0 bytes are not a whole number of frames of 2");
    assertThatThrownBy(() -> Wav.decode("a.wav", wav(8000, 1, 16, new byte[3]), 8000))
        .hasMessageContaining("3 bytes are not a whole number of frames of 2");
  }

  @Test
  void aLowToneKeepsItsShapeAtAnotherRateAndAHighOneVanishes() {
    float[] low = Wav.decode("a", tone(48000, 440, 4800), 8000);
    assertThat(low).hasSize(800);
    for (int i = 100; i < 700; i++) {
      double expected = 16000 / 32768.0 * Math.sin(2 * Math.PI * 440 * i / 8000);
      assertThat(low[i]).isCloseTo((float) expected, offset(1e-3f));
    }
    float[] high = Wav.decode("a", tone(48000, 6000, 4800), 8000);
    for (int i = 100; i < 700; i++) {
      // Without a filter the tone would alias to 2000 Hz at full strength.
      assertThat(Math.abs(high[i])).isLessThan(5e-3f);
    }
    assertThat(Wav.decode("a", tone(8000, 440, 800), 16000)).hasSize(1600);
  }

  @Test
  void theTransformIsThatOfNumpy() {
    double[] real = {1, 2, 0, -1, 3, 0.5, -2, 4};
    double[] imaginary = new double[8];
    new FastFourierTransform(8).transform(real, imaginary);
    // The values of numpy.fft.fft for the same input.
    assertThat(real)
        .containsExactly(
            new double[] {7.5, 2.59619408, 6, -6.59619408, -3.5, -6.59619408, 6, 2.59619408},
            offset(1e-8));
    assertThat(imaginary)
        .containsExactly(
            new double[] {0, 0.47487373, 0.5, 4.47487373, 0, -4.47487373, -0.5, -0.47487373},
            offset(1e-8));
  }

  @Test
  void logMelIsWhatScipyComputes() {
    float[] sound = new float[6000];
    for (int n = 0; n < sound.length; n++) {
      sound[n] =
          (float)
              (0.5 * Math.sin(2 * Math.PI * 440 * n / 8000)
                  + 0.25 * Math.sin(2 * Math.PI * (1000 + 0.1 * n) * n / 8000));
    }
    LogMel logMel = new LogMel(8000, 40, 8000);
    float[] picture = new float[logMel.width()];
    logMel.write(sound, picture, 0);
    assertThat(picture).hasSize(40 * 98);
    // Band, frame, value by scipy.fft.rfft, scipy.signal.get_window and the formula of the scale.
    double[][] expected = {
      {0, 0, -13.815510557964274},
      {0, 50, -9.336141488093748},
      {10, 50, 6.376307837602733},
      {11, 12, 3.3714509262828725},
      {15, 49, -8.270295834945378},
      {20, 30, -2.036409192730774},
      {25, 70, -7.833283078010147},
      {39, 60, -13.807850365471298}
    };
    for (double[] each : expected) {
      assertThat(picture[(int) (each[0] * 98 + each[1])]).isCloseTo((float) each[2], offset(2e-4f));
    }
    double sum = 0;
    for (float value : picture) {
      sum += value;
    }
    assertThat(sum).isCloseTo(-32987.912, offset(0.05));
  }

  @Test
  void audioMnistSplitsByClipOrBySpeaker() {
    InMemoryDataFiles files = new InMemoryDataFiles();
    for (String speaker : new String[] {"01", "05"}) {
      for (int repetition = 0; repetition < 5; repetition++) {
        for (int digit = 3; digit < 5; digit++) {
          files.with(
              "audiomnist/data/"
                  + speaker
                  + "/"
                  + digit
                  + "_"
                  + speaker
                  + "_"
                  + repetition
                  + ".wav",
              tone(8000, 300 + 200 * digit, 4000));
        }
      }
    }
    Dataset clips = new AudioMnist(AudioMnist.Split.CLIPS, 8000, 40).load(STREAMS, files);
    assertThat(clips.train().count()).isEqualTo(16);
    assertThat(clips.test().labels().copy()).containsExactly(3, 4, 3, 4);
    assertThat(clips.shape()).containsExactly(1, 40, 98);
    Users speakers = clips.test().users().orElseThrow();
    assertThat(speakers.names()).containsExactly("01", "05");
    assertThat(speakers.bySample().copy()).containsExactly(0, 0, 1, 1);
    // Different digits sound different; the same digit of another speaker is the same tone here.
    assertThat(InMemoryDataFiles.sample(clips.test(), 0))
        .isEqualTo(InMemoryDataFiles.sample(clips.test(), 2));
    assertThat(InMemoryDataFiles.sample(clips.test(), 0))
        .isNotEqualTo(InMemoryDataFiles.sample(clips.test(), 1));
    Dataset unseen = new AudioMnist(AudioMnist.Split.SPEAKERS, 8000, 40).load(STREAMS, files);
    assertThat(unseen.test().users().orElseThrow().bySample().copy()).containsOnly(1);
    assertThat(unseen.train().users().orElseThrow().bySample().copy()).containsOnly(0);
  }

  @Test
  void wrongNamesAndTornFilesOfAudioMnistAreNamed() {
    AudioMnist source = new AudioMnist(AudioMnist.Split.CLIPS, 8000, 40);
    assertThatThrownBy(
            () ->
                source.load(
                    STREAMS, new InMemoryDataFiles().with("audiomnist/data/01/one.wav", "")))
        .hasMessage(
            "audiomnist/data/01/one.wav is damaged at its name: DIGIT_SPEAKER_REPETITION.wav is"
                + " expected");
    assertThatThrownBy(
            () ->
                source.load(
                    STREAMS, new InMemoryDataFiles().with("audiomnist/data/01/10_01_0.wav", "")))
        .hasMessageEndingWith("label 10 of 10 classes");
    assertThatThrownBy(
            () ->
                source.load(
                    STREAMS, new InMemoryDataFiles().with("audiomnist/data/01/1_01_0.wav", "")))
        .hasMessage("audiomnist/data/01/1_01_0.wav is damaged at byte 0: not a WAV file");
    assertThatThrownBy(() -> source.load(STREAMS, new InMemoryDataFiles()))
        .hasMessage("data set audiomnist lacks the file *.wav");
  }

  private static InMemoryDataFiles commands() {
    InMemoryDataFiles files =
        new InMemoryDataFiles()
            .with("speech-commands/testing_list.txt", "yes/a1_nohash_0.wav\nno/b2_nohash_1.wav\n")
            .with("speech-commands/validation_list.txt", "no/c3_nohash_0.wav\n")
            .with("speech-commands/_background_noise_/hum.wav", "");
    for (String name :
        new String[] {
          "yes/a1_nohash_0",
          "yes/d4_nohash_0",
          "no/b2_nohash_1",
          "no/c3_nohash_0",
          "no/d4_nohash_2",
          "up/d4_nohash_0"
        }) {
      files.with("speech-commands/" + name + ".wav", tone(16000, name.length() * 50, 16000));
    }
    return files;
  }

  @Test
  void speechCommandsFollowTheirLists() {
    Dataset all = new SpeechCommands(List.of(), false, 8000, 20).load(STREAMS, commands());
    assertThat(all.classes()).isEqualTo(3);
    assertThat(all.train().labels().copy()).containsExactly(0, 1, 2);
    assertThat(all.test().labels().copy()).containsExactly(0, 2);
    assertThat(all.train().users().orElseThrow().names()).containsExactly("a1", "b2", "d4");
    assertThat(all.shape()).containsExactly(1, 20, 98);
    Dataset two =
        new SpeechCommands(List.of("yes", "no"), true, 8000, 20).load(STREAMS, commands());
    assertThat(two.train().labels().copy()).containsExactly(0, 0, 1);
    assertThatThrownBy(
            () -> new SpeechCommands(List.of("maybe"), true, 8000, 20).load(STREAMS, commands()))
        .isInstanceOf(SettingException.class)
        .hasMessage("there is no folder for the word 'maybe'");
  }

  @Test
  void wrongListsAndNamesOfSpeechCommandsAreNamed() {
    SpeechCommands source = new SpeechCommands(List.of(), false, 8000, 20);
    assertThatThrownBy(
            () -> source.load(STREAMS, commands().with("speech-commands/testing_list.txt", "x")))
        .hasMessage(
            "speech-commands/testing_list.txt is damaged at line 1: WORD/FILE.wav is expected, not"
                + " 'x'");
    assertThatThrownBy(
            () -> source.load(STREAMS, commands().with("speech-commands/testing_list.txt", "a/b")))
        .hasMessageContaining("the list names 0 of 5 files");
    assertThatThrownBy(() -> source.load(STREAMS, commands().with("speech-commands/up/me.wav", "")))
        .hasMessageEndingWith("SPEAKER_nohash_N.wav is expected");
  }
}
