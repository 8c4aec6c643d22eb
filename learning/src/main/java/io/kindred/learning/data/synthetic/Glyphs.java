package io.kindred.learning.data.synthetic;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.Samples;
import java.util.List;

/**
 * Characters drawn with strokes, 28 by 28 grey pixels: a task that needs no download. Each sample
 * has its own random stream, and labels come in blocks that hold every class once. Therefore a
 * larger number of samples leaves the earlier ones unchanged, and the sizes of two classes never
 * differ by more than one sample.
 */
@Named(
    value = "glyphs",
    summary = "digits and letters drawn in several typefaces, 28 x 28, no download")
public record Glyphs(
    @Setting(
            doc = "training samples, divided among the peers",
            fallback = "6000",
            min = 1,
            max = MAX_SAMPLES)
        int samples,
    @Setting(doc = "samples of the common test set", fallback = "2000", min = 1, max = MAX_SAMPLES)
        int testSamples,
    @Setting(
            doc = "number of characters: the digits, then A to F",
            fallback = "10",
            min = 2,
            max = Alphabets.CHARACTERS)
        int classes,
    @Setting(
            doc = "number of typefaces: round, square, serif, script, hollow, dotted",
            fallback = "6",
            min = 1,
            max = 6)
        int typefaces,
    @Setting(
            doc =
                "strength of the random distortion of strokes; 0 always draws a character the"
                    + " same way",
            fallback = "1",
            min = 0,
            max = 2)
        double distortion,
    @Setting(
            doc = "standard deviation of the pixel noise, where full ink is 1",
            fallback = "0.1",
            min = 0,
            max = 1)
        double noise,
    @Setting(
            doc = "probability of a stray stroke across a character, and of an erased part",
            fallback = "0.2",
            min = 0,
            max = 1)
        double clutter)
    implements DataSource {
  /** A million pictures are 784 MB, and one array holds at most 2 GB. */
  static final int MAX_SAMPLES = 1_000_000;

  private static final Purpose LABELS = new Purpose("glyph-labels");

  // Mean and deviation of a picture with the default settings, measured once.
  private static final float MEAN = 0.2f;
  private static final float DEVIATION = 0.22f;

  /** The set that a sample belongs to; the second part of its stream's key. */
  public enum Role {
    TRAIN(0),
    TEST(1);

    private final long key;

    Role(long key) {
      this.key = key;
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    return new Dataset(
        "glyphs",
        List.of(1, Canvas.SIDE, Canvas.SIDE),
        classes,
        draw(streams, Role.TRAIN, samples),
        draw(streams, Role.TEST, testSamples));
  }

  /** The typeface of a sample, for partitions by style. */
  public Typeface typeface(RandomStreams streams, Role role, int sample) {
    return typeface(sampleStream(streams, role, sample));
  }

  private Samples draw(RandomStreams streams, Role role, int count) {
    int[] labels = labels(streams, role, count);
    byte[] pixels = new byte[count * Canvas.PIXELS];
    GlyphRenderer glyphRenderer = new GlyphRenderer(distortion);
    for (int i = 0; i < count; i++) {
      RandomStream random = sampleStream(streams, role, i);
      Typeface typeface = typeface(random);
      glyphRenderer.draw(typeface, labels[i], random);
      if (random.nextDouble() < clutter) {
        glyphRenderer.drawStrayStroke(random);
      }
      toGreyValues(glyphRenderer, random, pixels, i * Canvas.PIXELS);
    }
    Features features =
        new ByteFeatures(pixels, Canvas.PIXELS, 1 / (255 * DEVIATION), -MEAN / DEVIATION);
    return new Samples(features, Ints.wrap(labels));
  }

  private int[] labels(RandomStreams streams, Role role, int count) {
    int[] labels = new int[count];
    for (int from = 0; from < count; from += classes) {
      RandomStream random = streams.stream(LABELS, from / classes, role.key);
      int[] block = random.permutation(classes);
      System.arraycopy(block, 0, labels, from, Math.min(classes, count - from));
    }
    return labels;
  }

  private static RandomStream sampleStream(RandomStreams streams, Role role, int sample) {
    return streams.stream(Purpose.DATA, sample, role.key);
  }

  /** Always a stream's first draw, so that it can be computed without drawing the picture. */
  private Typeface typeface(RandomStream random) {
    return Typeface.ALL.get(random.nextInt(typefaces));
  }

  /** Turns ink into grey values: uneven paper, uneven ink, a rubbed-out spot, grain. */
  private void toGreyValues(
      GlyphRenderer glyphRenderer, RandomStream random, byte[] pixels, int offset) {
    double paper = random.uniform(0, 0.2);
    double ink = random.uniform(0.55, 1);
    double slopeX = random.uniform(-0.2, 0.2) / Canvas.SIDE;
    double slopeY = random.uniform(-0.2, 0.2) / Canvas.SIDE;
    boolean rubbed = random.nextDouble() < clutter;
    double rubbedX = random.uniform(4, Canvas.SIDE - 4);
    double rubbedY = random.uniform(4, Canvas.SIDE - 4);
    double rubbedSize = rubbed ? random.uniform(2, 4.5) : 0;
    double rubbedSquare = rubbedSize * rubbedSize;
    for (int row = 0; row < Canvas.SIDE; row++) {
      for (int column = 0; column < Canvas.SIDE; column++) {
        double x = column + 0.5 - rubbedX;
        double y = row + 0.5 - rubbedY;
        int index = row * Canvas.SIDE + column;
        double coverage = x * x + y * y < rubbedSquare ? 0 : glyphRenderer.ink(index);
        double light = slopeX * (column - Canvas.SIDE / 2) + slopeY * (row - Canvas.SIDE / 2);
        double grey = paper + light + coverage * (ink - paper) + noise * grain(random.nextLong());
        pixels[offset + index] = (byte) (int) Math.clamp(255 * grey + 0.5, 0.0, 255.0);
      }
    }
  }

  /**
   * A draw of mean 0 and deviation 1, bell-shaped: the sum of four uniform numbers, one per quarter
   * of the bits. An exact normal would cost more than the rest of the picture.
   */
  private static double grain(long bits) {
    long sum = (bits & 0xffff) + (bits >>> 16 & 0xffff) + (bits >>> 32 & 0xffff) + (bits >>> 48);
    return (sum - 131_070) * (1 / 37_837.2);
  }
}
