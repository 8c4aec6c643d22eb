package io.kindred.learning.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.audio.SoundFolder;
import io.kindred.learning.data.format.FolderTree;
import io.kindred.learning.data.text.DocumentFolder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sounds and texts in folders. */
class FoldersOfFilesTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);
  private static final int RATE = 8000;

  /** A tone of 16 bits. */
  private static byte[] wav(int rate, int length, double hertz) {
    ByteBuffer out = ByteBuffer.allocate(44 + 2 * length).order(ByteOrder.LITTLE_ENDIAN);
    out.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(36 + 2 * length);
    out.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16);
    out.putShort((short) 1).putShort((short) 1).putInt(rate).putInt(2 * rate);
    out.putShort((short) 2).putShort((short) 16);
    out.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(2 * length);
    for (int i = 0; i < length; i++) {
      out.putShort((short) (10_000 * Math.sin(2 * Math.PI * hertz * i / rate)));
    }
    return out.array();
  }

  private static SoundFolder sounds(boolean skipDamaged) {
    return new SoundFolder(
        "mine",
        FolderTree.ClassRule.NAME,
        FolderTree.UserRule.FIRST,
        RATE,
        0.5,
        8,
        skipDamaged,
        0.5,
        Optional.empty());
  }

  private static InMemoryDataFiles spoken() {
    InMemoryDataFiles files = new InMemoryDataFiles().with("mine/README", "tones");
    for (String speaker : List.of("ann", "ben")) {
      for (int take = 0; take < 2; take++) {
        files =
            files
                .with("mine/" + speaker + "/low_" + take + ".wav", wav(RATE, 4000, 300))
                .with("mine/" + speaker + "/high_" + take + ".wav", wav(16_000, 12_000, 2500));
      }
    }
    return files;
  }

  @Test
  void soundsOfAnyRateBecomeClipsOfOneLength() {
    Dataset dataset = sounds(false).load(STREAMS, spoken());
    assertThat(dataset.reading().task().classes()).containsExactly("high", "low");
    assertThat(dataset.train().users().orElseThrow().names()).containsExactly("ann", "ben");
    // 0.5 s in frames of 25 ms every 10 ms.
    assertThat(dataset.shape()).containsExactly(1, 8, 48);
    assertThat(dataset.train().count() + dataset.test().count()).isEqualTo(8);
    assertThat(dataset.reading().task().scales()).hasSize(8);
    assertThat(dataset.reading().remarks())
        .contains(
            "sounds of 0.50 to 0.75 s at 8000, 16000 Hz become clips of 0.5 s at 8000 Hz",
            "4 of 8 are cut at both ends; a larger dataset.seconds keeps them whole");
    assertThat(dataset.reading().unusedLine())
        .contains("1 of 9 files are not used: 1 not a wav file (README)");
    // A tone of 300 Hz is in a lower band than one of 2,500 Hz, whatever the rate of its file.
    for (int i = 0; i < dataset.train().count(); i++) {
      boolean low = dataset.train().labels().get(i) == 1;
      float[] sample = InMemoryDataFiles.sample(dataset.train(), i);
      int middle = 24;
      assertThat(sample[0 * 48 + middle] > sample[6 * 48 + middle])
          .as("sample %d, scaled by band", i)
          .isEqualTo(low);
    }
  }

  @Test
  void soundsAreReadAgainAsTheSameTask() {
    Dataset first = sounds(false).load(STREAMS, spoken());
    InMemoryDataFiles fewer =
        new InMemoryDataFiles()
            .with("mine/cyd/low_1.wav", wav(RATE, 4000, 300))
            .with("mine/cyd/low_2.wav", wav(RATE, 4000, 310))
            .with("mine/dan/low_2.wav", wav(RATE, 4000, 320));
    Dataset second = sounds(false).load(STREAMS, fewer, Optional.of(first.reading().task()));
    assertThat(second.classes()).isEqualTo(2);
    assertThat(second.train().labels().get(0)).isEqualTo(1);
    assertThat(second.reading().task()).isEqualTo(first.reading().task());
  }

  @Test
  void aDamagedSoundIsNamedOrSkippedOnRequest() {
    InMemoryDataFiles files = spoken().with("mine/ann/low_9.wav", "RIFFnonsense");
    assertThatThrownBy(() -> sounds(false).load(STREAMS, files))
        .hasMessage("mine/ann/low_9.wav is damaged at byte 0: not a WAV file");
    Dataset dataset = sounds(true).load(STREAMS, files);
    assertThat(dataset.train().count() + dataset.test().count()).isEqualTo(8);
    assertThat(dataset.reading().unusedLine().orElseThrow()).contains("1 damaged (ann/low_9.wav)");
  }

  private static DocumentFolder texts(FolderTree.ClassRule classes) {
    return new DocumentFolder(
        "mine", classes, FolderTree.UserRule.NONE, 100, List.of("txt"), 0.34, Optional.empty());
  }

  private static InMemoryDataFiles letters() {
    return new InMemoryDataFiles()
        .with("mine/sea/1.txt", "The boat sails far, the boat is blue.")
        .with("mine/sea/2.txt", "A boat and a wave and a boat.")
        .with("mine/sea/3.txt", "wave on wave, caf\u00e9".getBytes(StandardCharsets.ISO_8859_1))
        .with("mine/hill/1.txt", "A goat climbs the rock.")
        .with("mine/hill/2.txt", "The goat eats; rock and goat.")
        .with("mine/hill/3.txt", "rock, goat, snow")
        .with("mine/hill/4.txt", " \n")
        .with("mine/notes.pdf", "x");
  }

  @Test
  void textsBecomeWeightedWordsOfTheTrainingTexts() {
    Dataset dataset = texts(FolderTree.ClassRule.AUTO).load(STREAMS, letters());
    assertThat(dataset.reading().task().classes()).containsExactly("hill", "sea");
    assertThat(dataset.reading().task().words()).extracting(WordWeight::word).contains("goat");
    assertThat(dataset.width()).isEqualTo(dataset.reading().task().words().size());
    assertThat(dataset.reading().remarks())
        .contains("1 of 6 are not UTF-8 and read as Windows-1252");
    assertThat(dataset.reading().unusedLine())
        .contains(
            "2 of 8 files are not used: 1 empty (hill/4.txt); 1 not a text file (.pdf)"
                + " (notes.pdf)");
    Dataset again =
        texts(FolderTree.ClassRule.AUTO)
            .load(
                new RandomStreams(5),
                new InMemoryDataFiles()
                    .with("mine/sea/8.txt", "boat, boat, goat")
                    .with("mine/sea/9.txt", "a boat")
                    .with("mine/hill/9.txt", "nothing known"),
                Optional.of(dataset.reading().task()));
    assertThat(again.width()).isEqualTo(dataset.width());
    assertThat(again.reading().task().words()).isEqualTo(dataset.reading().task().words());
  }

  @Test
  void textsWithoutAnEndingAreReadOnRequest() {
    InMemoryDataFiles numbered = new InMemoryDataFiles().with("mine/hill/note.txt", "x");
    for (int i = 0; i < 4; i++) {
      numbered =
          numbered.with("mine/sea/10" + i, "boat, wave").with("mine/hill/20" + i, "goat, rock");
    }
    DocumentFolder source =
        new DocumentFolder(
            "mine",
            FolderTree.ClassRule.AUTO,
            FolderTree.UserRule.NONE,
            100,
            List.of(FolderTree.NO_ENDING),
            0.5,
            Optional.empty());
    Dataset dataset = source.load(STREAMS, numbered);
    assertThat(dataset.train().count() + dataset.test().count()).isEqualTo(8);
    assertThat(dataset.reading().unusedLine())
        .contains("1 of 9 files are not used: 1 not a text file (.txt) (hill/note.txt)");
  }

  @Test
  void aTextOfZeroBytesIsNamed() {
    assertThatThrownBy(
            () ->
                texts(FolderTree.ClassRule.AUTO)
                    .load(STREAMS, letters().with("mine/sea/5.txt", new byte[] {65, 0, 66})))
        .hasMessage(
            "mine/sea/5.txt is damaged at byte 1: a text has no zero bytes; remove the file");
  }

  @Test
  void aDeeperTreeIsRefusedForTextsToo() {
    InMemoryDataFiles deep =
        new InMemoryDataFiles()
            .with("mine/en/sea/1.txt", "boat")
            .with("mine/de/hill/1.txt", "Ziege");
    assertThatThrownBy(() -> texts(FolderTree.ClassRule.AUTO).load(STREAMS, deep))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("more than one folder above a file");
  }
}
