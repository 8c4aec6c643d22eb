package io.kindred.cli.data;

import io.kindred.core.weights.Digest;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.format.FolderTree;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Samples with the same inputs, or in files with the same content. */
public final class Repetitions {
  private static final int MOST_EXAMPLES = 5;

  /**
   * What was found.
   *
   * @param samples samples whose inputs an earlier sample has too
   * @param inBothParts test samples whose inputs a training sample has too
   * @param contradictory samples whose inputs an earlier sample of another class has too
   * @param examples files with the same content, a group in each line
   */
  public record Found(int samples, int inBothParts, int contradictory, List<String> examples) {
    public Found {
      examples = List.copyOf(examples);
    }
  }

  private record First(int label, boolean test) {}

  private final Found found;

  Repetitions(Dataset dataset, Optional<SampleFiles> files) {
    SortedMap<Digest, First> seen = new TreeMap<>();
    int[] counts = new int[3];
    add(dataset.train(), false, seen, counts);
    add(dataset.test(), true, seen, counts);
    found =
        new Found(
            counts[0], counts[1], counts[2], files.map(Repetitions::examples).orElse(List.of()));
  }

  private static void add(
      Samples samples, boolean test, SortedMap<Digest, First> seen, int[] counts) {
    int width = samples.features().width();
    float[] values = new float[width];
    for (int i = 0; i < samples.count(); i++) {
      samples.features().copy(i, values, 0);
      Digest key = key(values);
      int label = samples.labels().get(i);
      First first = seen.putIfAbsent(key, new First(label, test));
      if (first != null) {
        counts[0]++;
        counts[1] += test && !first.test ? 1 : 0;
        counts[2] += first.label == label ? 0 : 1;
      }
    }
  }

  /** A digest, so that memory does not grow with the width of samples. */
  private static Digest key(float[] values) {
    ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * values.length);
    bytes.asFloatBuffer().put(values);
    return Digest.of(bytes.array());
  }

  private static List<String> examples(SampleFiles files) {
    SortedMap<String, List<FolderTree.Sample>> byContent = new TreeMap<>();
    for (int i = 0; i < files.samples().size(); i++) {
      byContent
          .computeIfAbsent(files.digests().get(i), _ -> new ArrayList<>())
          .add(files.samples().get(i));
    }
    TreeSet<String> lines = new TreeSet<>();
    for (List<FolderTree.Sample> same : byContent.values()) {
      if (same.size() > 1) {
        lines.add(
            String.join(" = ", same.stream().limit(3).map(FolderTree.Sample::file).toList())
                + (same.size() > 3 ? " and " + (same.size() - 3) + " more" : ""));
      }
    }
    return lines.stream().limit(MOST_EXAMPLES).toList();
  }

  Found found() {
    return found;
  }
}
