package io.kindred.learning.model;

import java.util.ArrayList;
import java.util.List;

/**
 * The weights of a text encoder, named and ordered as in the files of Hugging Face's ALBERT, so
 * that these files fit.
 */
final class EncoderBlocks {
  /** The initialization of a block, as in the authors' code. */
  enum Initialization {
    /** Normal, with a deviation of 0.02. */
    NORMAL,
    ZERO,
    ONE
  }

  /** One block of weights. */
  record Block(String name, List<Integer> shape, Initialization initialization) {
    Block {
      shape = List.copyOf(shape);
    }

    int size() {
      return shape.stream().reduce(1, Math::multiplyExact);
    }
  }

  private static final double DEVIATION = 0.02;
  private static final int TOKEN_TYPES = 2;

  private final String name;
  private final List<Block> blocks = new ArrayList<>();

  private EncoderBlocks(String name) {
    this.name = name;
  }

  static double deviation() {
    return DEVIATION;
  }

  static List<Block> of(LayerShape.Encoder encoder) {
    int embedding = encoder.embedding();
    int hidden = encoder.hidden();
    EncoderBlocks all = new EncoderBlocks(encoder.name());
    all.table("embeddings.word_embeddings", encoder.vocabulary(), embedding);
    all.table("embeddings.position_embeddings", encoder.positions(), embedding);
    all.table("embeddings.token_type_embeddings", TOKEN_TYPES, embedding);
    all.norm("embeddings.LayerNorm", embedding);
    all.dense("encoder.embedding_hidden_mapping_in", embedding, hidden);
    String layer = "encoder.albert_layer_groups.0.albert_layers.0.";
    all.norm(layer + "full_layer_layer_norm", hidden);
    for (String part : List.of("query", "key", "value", "dense")) {
      all.dense(layer + "attention." + part, hidden, hidden);
    }
    all.norm(layer + "attention.LayerNorm", hidden);
    all.dense(layer + "ffn", hidden, encoder.intermediate());
    all.dense(layer + "ffn_output", encoder.intermediate(), hidden);
    all.dense("pooler", hidden, hidden);
    return List.copyOf(all.blocks);
  }

  private void table(String part, int rows, int columns) {
    blocks.add(
        new Block(name + "." + part + ".weight", List.of(rows, columns), Initialization.NORMAL));
  }

  private void dense(String part, int inputs, int outputs) {
    table(part, outputs, inputs);
    blocks.add(new Block(name + "." + part + ".bias", List.of(outputs), Initialization.ZERO));
  }

  private void norm(String part, int size) {
    blocks.add(new Block(name + "." + part + ".weight", List.of(size), Initialization.ONE));
    blocks.add(new Block(name + "." + part + ".bias", List.of(size), Initialization.ZERO));
  }
}
