package io.kindred.cli.study;

import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the link rates of a given network: a symmetric matrix of numbers. */
final class RateMatrix {
  private RateMatrix() {}

  static double[][] read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw wrong("there is no file " + file, "name a text file with one line per client");
    }
    List<String> lines =
        Files.readAllLines(file).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .toList();
    double[][] rates = new double[lines.size()][];
    for (int i = 0; i < rates.length; i++) {
      String[] words = lines.get(i).trim().split("[\\s,;]+", -1);
      if (words.length != rates.length) {
        throw wrong(
            file + ": line " + (i + 1) + " has " + words.length + " numbers",
            "write one number for each of the " + rates.length + " clients");
      }
      rates[i] = new double[words.length];
      for (int j = 0; j < words.length; j++) {
        rates[i][j] = number(words[j], file, i);
      }
    }
    requireSymmetric(rates, file);
    return rates;
  }

  private static double number(String word, Path file, int line) {
    try {
      double value = Double.parseDouble(word);
      if (value >= 0 && Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Reported below, with the line.
    }
    throw wrong(
        file + ": line " + (line + 1) + " has '" + word + "', which is not a rate",
        "write megabits per second, 0 or more");
  }

  private static void requireSymmetric(double[][] rates, Path file) {
    for (int i = 0; i < rates.length; i++) {
      for (int j = 0; j < i; j++) {
        if (rates[i][j] != rates[j][i]) {
          throw wrong(
              file + ": the rate from " + j + " to " + i + " differs from the rate back",
              "write the same number in line " + (i + 1) + " and line " + (j + 1));
        }
      }
    }
  }

  private static OperatorException wrong(String what, String remedy) {
    return new OperatorException(OperatorException.WRONG_USE, what + "; " + remedy);
  }
}
