package io.kindred.learning.torch;

import io.kindred.learning.model.LayerShape;
import java.util.Iterator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * An ALBERT encoder as native operations: token numbers to the pooled state of the first token.
 * Padding is seen by nobody. Blocks are taken in the order of the layout.
 */
final class TextEncoder implements Operation {
  /** A score that no softmax lets through. */
  private static final float NEVER = -1e30f;

  private final LayerShape.Encoder shape;
  private final Tensor words;
  private final Tensor positions;
  private final Tensor types;
  private final Operation embeddingNorm;
  private final Operation widened;
  private final Operation outputNorm;
  private final Operation query;
  private final Operation key;
  private final Operation value;
  private final Operation attended;
  private final Operation attentionNorm;
  private final Operation expanded;
  private final Operation contracted;
  private final Operation pooled;

  TextEncoder(LayerShape.Encoder shape, Iterator<Tensor> blocks) {
    this.shape = shape;
    words = blocks.next();
    positions = blocks.next();
    types = blocks.next();
    embeddingNorm = norm(shape.embedding(), blocks);
    widened = Operations.dense(blocks.next(), blocks.next());
    outputNorm = norm(shape.hidden(), blocks);
    query = Operations.dense(blocks.next(), blocks.next());
    key = Operations.dense(blocks.next(), blocks.next());
    value = Operations.dense(blocks.next(), blocks.next());
    attended = Operations.dense(blocks.next(), blocks.next());
    attentionNorm = norm(shape.hidden(), blocks);
    expanded = Operations.dense(blocks.next(), blocks.next());
    contracted = Operations.dense(blocks.next(), blocks.next());
    pooled = Operations.dense(blocks.next(), blocks.next());
  }

  private static Operation norm(int size, Iterator<Tensor> blocks) {
    TensorOptional scale = new TensorOptional(blocks.next());
    TensorOptional shift = new TensorOptional(blocks.next());
    long[] extent = {size};
    return (signal, pass) ->
        torch.layer_norm(signal, extent, scale, shift, LayerShape.Encoder.EPSILON, true);
  }

  @Override
  public Tensor apply(Tensor signal, Pass pass) {
    Tensor numbers = signal.to(torch.ScalarType.Long);
    // Samples x heads x queries x keys; the same for all heads and queries.
    Tensor padding =
        numbers.eq(new Scalar(0L)).unsqueeze(1).unsqueeze(1).to(torch.ScalarType.Float);
    Tensor closed = padding.mul(new Scalar(NEVER));
    Tensor state =
        torch
            .embedding(words, numbers)
            .add(types.select(0, 0))
            .add(positions.narrow(0, 0, shape.tokens()));
    state = widened.apply(embeddingNorm.apply(state, pass), pass);
    for (int layer = 0; layer < shape.depth(); layer++) {
      state = layer(state, closed, pass);
    }
    return pooled.apply(state.select(1, 0), pass).tanh();
  }

  private Tensor layer(Tensor state, Tensor closed, Pass pass) {
    Tensor mixed = attended.apply(attention(state, closed, pass), pass);
    Tensor seen = attentionNorm.apply(state.add(mixed), pass);
    Tensor thought = torch.gelu(expanded.apply(seen, pass), "tanh");
    return outputNorm.apply(contracted.apply(thought, pass).add(seen), pass);
  }

  private Tensor attention(Tensor state, Tensor closed, Pass pass) {
    int width = shape.hidden() / shape.heads();
    Tensor scores =
        heads(query.apply(state, pass), width)
            .matmul(heads(key.apply(state, pass), width).transpose(2, 3))
            .mul(new Scalar((float) (1 / Math.sqrt(width))))
            .add(closed);
    return scores
        .softmax(3)
        .matmul(heads(value.apply(state, pass), width))
        .transpose(1, 2)
        .reshape(state.size(0), shape.tokens(), shape.hidden());
  }

  /** Samples x heads x tokens x width. */
  private Tensor heads(Tensor signal, int width) {
    return signal.reshape(signal.size(0), shape.tokens(), shape.heads(), width).transpose(1, 2);
  }
}
