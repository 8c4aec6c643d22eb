package io.kindred.storage.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class JsonTest {
  record Line(
      int round,
      String peer,
      @Nullable Double accuracy,
      Optional<Long> bytes,
      SortedMap<String, Double> extra) {}

  @Test
  void writesComponentsInOrderAndLeavesOutWhatDoesNotApply() {
    assertThat(Json.line(new Line(3, "b", null, Optional.empty(), new TreeMap<>())))
        .isEqualTo("{\"round\":3,\"peer\":\"b\",\"extra\":{}}");
    SortedMap<String, Double> extra = new TreeMap<>();
    extra.put("z", 1.0);
    extra.put("a", 0.1);
    assertThat(Json.line(new Line(3, "b", 0.5, Optional.of(7L), extra)))
        .isEqualTo(
            "{\"round\":3,\"peer\":\"b\",\"accuracy\":0.5,\"bytes\":7,\"extra\":{\"a\":0.1,\"z\":1.0}}");
  }

  @Test
  void readsTreeBack() {
    assertThat(
            Json.tree(Json.document(new Line(3, "b", 0.5, Optional.of(7L), new TreeMap<>())))
                .get("bytes")
                .asLong())
        .isEqualTo(7);
  }
}
