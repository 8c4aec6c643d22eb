package io.kindred.learning.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.learning.data.FeatureScale;
import io.kindred.learning.data.InputColumn;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.WordWeight;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskReaderTest {
  private static TaskDescription read(String text) {
    return TaskReader.ofReading("data.json", text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void everyPartOfATaskIsRead() {
    assertThat(
            read(
                """
                {"used": 3, "remarks": ["x"], "task": {"classes": ["owl", "wren"],
                 "scales": [{"mean": 1.5, "deviation": 2}],
                 "columns": [{"name": "a", "categories": ["u", "v"], "filling": "u"}],
                 "words": [{"word": "w", "weight": 0.25}],
                 "targets": ["price"], "targetScales": [{"mean": 10, "deviation": 4}]}}
                """))
        .isEqualTo(
            new TaskDescription(
                List.of("owl", "wren"),
                List.of(new FeatureScale(1.5, 2)),
                List.of(new InputColumn("a", List.of("u", "v"), "u")),
                List.of(new WordWeight("w", 0.25)),
                List.of("price"),
                List.of(new FeatureScale(10, 4))));
  }

  @Test
  void damagedTasksAreNamedWithTheirByte() {
    assertThatThrownBy(() -> read("{\"used\": 3}"))
        .hasMessageContaining("there is no task in this document");
    assertThatThrownBy(() -> read("{\"task\": {\"clases\": []}}"))
        .hasMessageContaining("a task has no 'clases'");
    assertThatThrownBy(() -> read("{\"task\": {\"scales\": [{\"mean\": 0, \"deviation\": 0}]}}"))
        .hasMessageContaining("a deviation must be above 0");
  }
}
