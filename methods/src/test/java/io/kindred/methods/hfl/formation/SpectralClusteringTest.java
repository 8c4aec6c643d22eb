package io.kindred.methods.hfl.formation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SpectralClusteringTest {
  private record Example(List<String> head, List<List<String>> clients) {
    private FormationInput situation() {
      int size = clients.size();
      double[] ones = new double[size];
      Arrays.fill(ones, 1);
      float[][] features = new float[size][];
      double[] times = new double[size];
      for (int i = 0; i < size; i++) {
        List<String> words = clients.get(i);
        times[i] = Double.parseDouble(words.get(1));
        features[i] = new float[words.size() - 2];
        for (int k = 2; k < words.size(); k++) {
          features[i][k - 2] = Float.parseFloat(words.get(k));
        }
      }
      return new FormationInput(ones, times, new float[size][size], features, false);
    }

    private List<Integer> expected() {
      return clients.stream().map(words -> Integer.valueOf(words.getFirst())).toList();
    }

    private int[] found() {
      double sigma = Double.parseDouble(head.get(3));
      int count = Integer.parseInt(head.get(2));
      double[][] similarity =
          head.get(1).equals("spectral")
              ? SpectralClustering.similarity(situation(), new SpectralSettings(sigma, 1, 1, 0))
              : SpectralClustering.adaptedSimilarity(
                  situation(), new SpectralSettings(1, sigma, Double.parseDouble(head.get(4)), 0));
      return SpectralClustering.clusters(similarity, count, FormationInputs.random(1));
    }
  }

  private static List<Example> examples() throws IOException {
    List<Example> examples = new ArrayList<>();
    try (InputStream in = SpectralClusteringTest.class.getResourceAsStream("spectral.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().filter(each -> !each.startsWith("#")).toList()) {
        List<String> words = List.of(line.split(" ", -1));
        if (words.getFirst().equals("case")) {
          examples.add(new Example(words, new ArrayList<>()));
        } else {
          examples.getLast().clients().add(words);
        }
      }
    }
    return examples;
  }

  /** Numbered in the order in which clusters appear. */
  private static List<Integer> renumbered(int[] of) {
    Map<Integer, Integer> numbers = new TreeMap<>();
    return Arrays.stream(of)
        .mapToObj(
            each -> {
              int next = numbers.size();
              return numbers.computeIfAbsent(each, unseen -> next);
            })
        .toList();
  }

  @Test
  void clustersAreThoseOfScikitLearn() throws IOException {
    List<Example> examples = examples();

    assertThat(examples).hasSize(6);
    for (Example example : examples) {
      assertThat(renumbered(example.found()))
          .as("%s", example.head())
          .isEqualTo(example.expected());
    }
  }

  @Test
  void eigenvectorsSolveTheirEquation() {
    double[][] matrix = new double[9][9];
    for (int i = 0; i < 9; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i][j] = FormationInputs.random(10 * i + j).nextGaussian();
        matrix[j][i] = matrix[i][j];
      }
    }

    EigenDecomposition eigenDecomposition = EigenDecomposition.of(matrix);

    assertThat(eigenDecomposition.values()).isSorted();
    for (int k = 0; k < 9; k++) {
      double[] vector = eigenDecomposition.vectors()[k];
      double square = 0;
      for (int i = 0; i < 9; i++) {
        double product = 0;
        for (int j = 0; j < 9; j++) {
          product += matrix[i][j] * vector[j];
        }
        assertThat(product).isEqualTo(eigenDecomposition.values()[k] * vector[i], within(1e-9));
        square += vector[i] * vector[i];
      }
      assertThat(square).isEqualTo(1, within(1e-12));
    }
  }

  @Test
  void eigenvaluesOfAPathAreKnown() {
    double[][] path = {{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}};

    double[] values = EigenDecomposition.of(path).values();

    assertThat(values[0]).isEqualTo(2 - Math.sqrt(2), within(1e-12));
    assertThat(values[1]).isEqualTo(2, within(1e-12));
    assertThat(values[2]).isEqualTo(2 + Math.sqrt(2), within(1e-12));
  }

  @Test
  void reverseStartPutsUnlikeClientsTogether() {
    // Four directions, each held by three clients: similar clients are together under A, apart in
    // reverse.
    float[][] features = new float[12][4];
    double[] ones = new double[12];
    Arrays.fill(ones, 1);
    for (int i = 0; i < 12; i++) {
      features[i][i % 4] = 1;
      features[i][(i + 1) % 4] = 0.01f * i;
    }
    FormationInput input = new FormationInput(ones, ones, new float[12][12], features, false);
    FormationSettings rule = FormationInputs.settings(3, 3, 6, SwapCriteria.Solution.PAIR, 0);

    Formation alike =
        Formation.of(
            input,
            FormationInputs.withAlgorithm(rule, FormationSettings.Algorithm.SPECTRAL),
            FormationInputs.random(1));
    Formation reverse =
        Formation.of(
            input,
            new FormationSettings(
                3,
                3,
                6,
                FormationSettings.Algorithm.SWAP,
                new SwapSettings(
                    SwapCriteria.Solution.PAIR,
                    0,
                    0,
                    SwapSettings.Choice.RANDOM,
                    SwapSettings.Start.SPECTRAL,
                    1),
                rule.spectral()),
            FormationInputs.random(1));

    assertThat(Formation.meanAngle(reverse.after()))
        .isLessThan(0.8 * Formation.meanAngle(alike.after()));
    assertThat(reverse.after()).allMatch(each -> each.members().size() >= 3);
  }
}
