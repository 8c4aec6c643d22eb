package io.kindred.learning.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.learning.data.DamagedDataException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonReaderTest {
  /** Reads the numbers of the arrays in an object, beginning at a byte of the text. */
  private static List<Double> numbers(String text, int from) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    JsonReader json = new JsonReader("made", bytes, from, bytes.length);
    List<Double> numbers = new ArrayList<>();
    json.object(
        key -> {
          if (key.equals("skipped")) {
            json.skip();
          } else {
            numbers.addAll(json.numbers());
          }
        });
    json.finish();
    return numbers;
  }

  @Test
  void valuesThatNoReaderWantsAreSkippedWhole() {
    String text =
        "{\"skipped\": {\"a\": [1, {\"b\": null}]}, \"x\": [2, 3.5], \"skipped\": \"]}\"}";
    assertThat(numbers(text, 0)).containsExactly(2.0, 3.5);
  }

  @Test
  void anErrorNamesTheByteOfTheFile() {
    assertDamaged("", 0, 0, "an object is expected, but the file ends");
    assertDamaged("{\"x\": \"1\"}", 0, 6, "an array is expected");
    assertDamaged("{\"x\": [1, true]}", 0, 10, "a number is expected");
    assertDamaged("12345678{\"x\": [1, true]}", 8, 18, "a number is expected");
    assertDamaged("{\"é\": [1, 2", 0, 12, "the file ends within a value");
    assertDamaged("{\"x\": [1]} 2", 0, 11, "more text follows the end of the document");
    assertDamaged(
        "{\"x\" [1]}", 0, 6, "Unexpected character ('[' (code 91)): was expecting a colon");
    assertDamaged("{\"skipped\": " + "[".repeat(101), 0, 112, "Document nesting depth");
  }

  private static void assertDamaged(String text, int from, int at, String problem) {
    assertThatThrownBy(() -> numbers(text, from))
        .as(text)
        .isInstanceOf(DamagedDataException.class)
        .hasMessageStartingWith("made is damaged at byte " + at + ": " + problem)
        .message()
        .hasLineCount(1);
  }
}
