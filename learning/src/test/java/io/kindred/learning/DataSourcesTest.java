package io.kindred.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.learning.data.synthetic.Glyphs;
import org.junit.jupiter.api.Test;

class DataSourcesTest {
  @Test
  void glyphsCanBeNamed() {
    assertThat(DataSources.ALL.find("glyphs")).contains(Glyphs.class);
  }
}
