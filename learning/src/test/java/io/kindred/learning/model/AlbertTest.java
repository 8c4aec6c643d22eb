package io.kindred.learning.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlbertTest {
  private static final Albert BASE = new Albert(30_000, 512, 128, 768, 3072, 12, 12, 0.1);

  private static Dataset texts(int tokens, float scale) {
    byte[] numbers = new byte[tokens];
    numbers[0] = 5;
    Samples one = new Samples(new ByteFeatures(numbers, tokens, scale, 0), Ints.of(0));
    return new Dataset("texts", List.of(tokens), 20, one, one);
  }

  /**
   * Embeddings (30,000 + 512 + 2) x 128 and their norm 256; the projection to the hidden size 768 x
   * 129; the layer 4 x 768 x 769 + 3,072 x 769 + 768 x 3,073 and its norms 2 x 1,536; the pooler
   * 768 x 769: together the 11,683,584 of the published model.
   */
  @Test
  void theBaseModelHasItsPublishedSize() {
    Architecture architecture = BASE.sizedFor(texts(128, 1));
    int classifier = 20 * 769;
    assertThat(architecture.layout().blocks()).allMatch(Layout.Block::trained);
    assertThat(architecture.layout().size()).isEqualTo(11_683_584 + classifier);
    // 12 layers, 128 tokens: about 2 x 12 x 128 x 7.1 million multiply-adds.
    assertThat(architecture.forwardOperations()).isBetween(21_000_000_000L, 24_000_000_000L);
  }

  @Test
  void blocksAreNamedAsInHuggingFacesFiles() {
    List<String> names =
        BASE.sizedFor(texts(16, 1)).layout().blocks().stream().map(Layout.Block::name).toList();
    String layer = "albert.encoder.albert_layer_groups.0.albert_layers.0.";
    assertThat(names)
        .hasSize(27)
        .contains(
            "albert.embeddings.word_embeddings.weight",
            "albert.embeddings.position_embeddings.weight",
            "albert.embeddings.token_type_embeddings.weight",
            "albert.embeddings.LayerNorm.weight",
            "albert.encoder.embedding_hidden_mapping_in.bias",
            layer + "full_layer_layer_norm.weight",
            layer + "attention.query.weight",
            layer + "attention.key.bias",
            layer + "attention.value.weight",
            layer + "attention.dense.weight",
            layer + "attention.LayerNorm.bias",
            layer + "ffn.weight",
            layer + "ffn_output.bias",
            "albert.pooler.weight")
        .endsWith("classifier.weight", "classifier.bias");
  }

  @Test
  void weightsStartAsTheAuthorsStart() {
    Albert small = new Albert(100, 32, 8, 16, 32, 2, 3, 0);
    Weights weights =
        small
            .sizedFor(texts(16, 1))
            .initialWeights(new RandomStreams(1).stream(Purpose.INITIAL_WEIGHTS, 0, 0));
    Layout.Block norm = weights.layout().block("albert.embeddings.LayerNorm.weight");
    Layout.Block bias = weights.layout().block("albert.pooler.bias");
    Layout.Block words = weights.layout().block("albert.embeddings.word_embeddings.weight");
    double square = 0;
    for (int i = words.offset(); i < words.end(); i++) {
      square += weights.get(i) * weights.get(i) / words.size();
    }
    assertThat(weights.get(norm.offset())).isEqualTo(1);
    assertThat(weights.get(bias.offset())).isZero();
    assertThat(Math.sqrt(square)).isBetween(0.018, 0.022);
  }

  @Test
  void whatIsNoTextIsRefused() {
    assertThatThrownBy(() -> BASE.sizedFor(texts(16, 0.5f)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("has the value 2.5");
    assertThatThrownBy(() -> new Albert(4, 32, 8, 16, 32, 2, 3, 0).sizedFor(texts(16, 1)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("below 4");
    assertThatThrownBy(() -> BASE.sizedFor(texts(513, 1)))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("model.positions"));
    assertThatThrownBy(() -> new Albert(100, 32, 8, 16, 32, 3, 3, 0))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("among 3 heads");
  }
}
