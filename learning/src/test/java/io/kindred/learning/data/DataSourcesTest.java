package io.kindred.learning.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DataSourcesTest {
  @Test
  void glyphsCanBeNamed() {
    assertThat(DataSources.ALL.find("glyphs")).contains(Glyphs.class);
  }
}
