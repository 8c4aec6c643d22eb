package io.kindred.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.audio.AudioMnist;
import io.kindred.learning.data.sensor.UciHar;
import io.kindred.learning.data.text.Newsgroups;
import io.kindred.learning.data.text.Shakespeare;
import io.kindred.learning.data.vision.Cifar10;
import io.kindred.learning.data.vision.FashionMnist;
import io.kindred.learning.data.vision.Mnist;
import io.kindred.learning.data.vision.Optdigits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The published files themselves, where {@code KINDRED_DATA} names a folder that has them; the
 * figures are those of the publications.
 */
class RealDataTest {
  private static Dataset load(String set, DataSource source) {
    String folder = System.getenv("KINDRED_DATA");
    assumeTrue(
        folder != null && Files.isDirectory(Path.of(folder, set)),
        "KINDRED_DATA names no folder with " + set);
    return source.load(new RandomStreams(1), new DataFolder(Optional.of(Path.of(folder))));
  }

  private static int[] histogram(Samples samples, int classes) {
    int[] counts = new int[classes];
    for (int i = 0; i < samples.count(); i++) {
      counts[samples.labels().get(i)]++;
    }
    return counts;
  }

  @Test
  void mnist() {
    Dataset dataset = load("mnist", new Mnist(0, 0));
    assertThat(histogram(dataset.train(), 10))
        .containsExactly(5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949);
    assertThat(dataset.test().count()).isEqualTo(10_000);
  }

  @Test
  void fashionMnist() {
    Dataset dataset = load("fashion-mnist", new FashionMnist(0, 0));
    assertThat(histogram(dataset.train(), 10)).containsOnly(6000);
    assertThat(histogram(dataset.test(), 10)).containsOnly(1000);
  }

  @Test
  void cifar10() {
    Dataset dataset = load("cifar-10", new Cifar10(0, 0));
    assertThat(dataset.train().count() % 10_000).isZero();
    assertThat(histogram(dataset.test(), 10)).containsOnly(1000);
  }

  @Test
  void optdigits() {
    Dataset dataset = load("optdigits", new Optdigits());
    assertThat(dataset.train().count()).isEqualTo(3823);
    assertThat(histogram(dataset.test(), 10))
        .containsExactly(178, 182, 177, 183, 181, 182, 181, 179, 174, 180);
  }

  @Test
  void uciHar() {
    Dataset dataset = load("uci-har", new UciHar());
    assertThat(dataset.train().count()).isEqualTo(7352);
    assertThat(dataset.test().count()).isEqualTo(2947);
    assertThat(histogram(dataset.test(), 6)).containsExactly(496, 471, 420, 491, 532, 537);
  }

  @Test
  void audioMnist() {
    Dataset dataset = load("audiomnist", new AudioMnist(AudioMnist.Split.SPEAKERS, 8000, 40));
    assertThat(dataset.train().users().orElseThrow().count()).isEqualTo(60);
    assertThat(dataset.test().count()).isEqualTo(dataset.train().count() / 4);
    assertThat(histogram(dataset.test(), 10)).containsOnly(dataset.test().count() / 10);
  }

  @Test
  void newsgroups() {
    Dataset dataset = load("20newsgroups", new Newsgroups(10_000, false, true, true));
    assertThat(dataset.classes()).isEqualTo(20);
    assertThat(dataset.train().count()).isEqualTo(11_314);
    assertThat(dataset.test().count()).isEqualTo(7_532);
  }

  @Test
  void shakespeare() {
    Dataset dataset = load("shakespeare", new Shakespeare(20, 10, 0, 0.2));
    assertThat(dataset.classes()).isBetween(60, 70);
    assertThat(dataset.train().users().orElseThrow().count()).isGreaterThan(200);
  }
}
