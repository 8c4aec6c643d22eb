package io.kindred.learning.torch;

import io.kindred.learning.model.LayerShape;
import java.util.Iterator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * An ALBERT encoder as native operations: token ids to the pooled state of the first token. No
 * token attends to padding. Blocks are taken in the order of the layout.
 */
final class TextEncoder implements Operation {
  /** A score that softmax maps to zero. */
  private static final float MASKED_SCORE = -1e30f;

  private final LayerShape.Encoder shape;
  private final Tensor wordEmbeddings;
  private final Tensor positionEmbeddings;
  private final Tensor tokenTypeEmbeddings;
  private final Operation embeddingNorm;
  private final Operation embeddingProjection;
  private final Operation outputNorm;
  private final Operation query;
  private final Operation key;
  private final Operation value;
  private final Operation attentionOutput;
  private final Operation attentionNorm;
  private final Operation feedForwardIn;
  private final Operation feedForwardOut;
  private final Operation pooler;

  TextEncoder(LayerShape.Encoder shape, Iterator<Tensor> blocks) {
    this.shape = shape;
    wordEmbeddings = blocks.next();
    positionEmbeddings = blocks.next();
    tokenTypeEmbeddings = blocks.next();
    embeddingNorm = norm(shape.embedding(), blocks);
    embeddingProjection = LayerOperations.dense(blocks.next(), blocks.next());
    outputNorm = norm(shape.hidden(), blocks);
    query = LayerOperations.dense(blocks.next(), blocks.next());
    key = LayerOperations.dense(blocks.next(), blocks.next());
    value = LayerOperations.dense(blocks.next(), blocks.next());
    attentionOutput = LayerOperations.dense(blocks.next(), blocks.next());
    attentionNorm = norm(shape.hidden(), blocks);
    feedForwardIn = LayerOperations.dense(blocks.next(), blocks.next());
    feedForwardOut = LayerOperations.dense(blocks.next(), blocks.next());
    pooler = LayerOperations.dense(blocks.next(), blocks.next());
  }

  private static Operation norm(int size, Iterator<Tensor> blocks) {
    TensorOptional scale = new TensorOptional(blocks.next());
    TensorOptional shift = new TensorOptional(blocks.next());
    long[] extent = {size};
    return (signal, forwardPass) ->
        torch.layer_norm(signal, extent, scale, shift, LayerShape.Encoder.EPSILON, true);
  }

  @Override
  public Tensor apply(Tensor signal, ForwardPass forwardPass) {
    Tensor tokenIds = signal.to(torch.ScalarType.Long);
    // Samples x heads x queries x keys; the same for all heads and queries.
    Tensor padding =
        tokenIds.eq(new Scalar(0L)).unsqueeze(1).unsqueeze(1).to(torch.ScalarType.Float);
    Tensor paddingMask = padding.mul(new Scalar(MASKED_SCORE));
    Tensor state =
        torch
            .embedding(wordEmbeddings, tokenIds)
            .add(tokenTypeEmbeddings.select(0, 0))
            .add(positionEmbeddings.narrow(0, 0, shape.tokens()));
    state = embeddingProjection.apply(embeddingNorm.apply(state, forwardPass), forwardPass);
    for (int layer = 0; layer < shape.depth(); layer++) {
      state = layer(state, paddingMask, forwardPass);
    }
    return pooler.apply(state.select(1, 0), forwardPass).tanh();
  }

  private Tensor layer(Tensor state, Tensor paddingMask, ForwardPass forwardPass) {
    Tensor mixed = attentionOutput.apply(attention(state, paddingMask, forwardPass), forwardPass);
    Tensor attended = attentionNorm.apply(state.add(mixed), forwardPass);
    Tensor expanded = torch.gelu(feedForwardIn.apply(attended, forwardPass), "tanh");
    return outputNorm.apply(feedForwardOut.apply(expanded, forwardPass).add(attended), forwardPass);
  }

  private Tensor attention(Tensor state, Tensor paddingMask, ForwardPass forwardPass) {
    int width = shape.hidden() / shape.heads();
    Tensor scores =
        heads(query.apply(state, forwardPass), width)
            .matmul(heads(key.apply(state, forwardPass), width).transpose(2, 3))
            .mul(new Scalar((float) (1 / Math.sqrt(width))))
            .add(paddingMask);
    return scores
        .softmax(3)
        .matmul(heads(value.apply(state, forwardPass), width))
        .transpose(1, 2)
        .reshape(state.size(0), shape.tokens(), shape.hidden());
  }

  /** Samples x heads x tokens x width. */
  private Tensor heads(Tensor signal, int width) {
    return signal.reshape(signal.size(0), shape.tokens(), shape.heads(), width).transpose(1, 2);
  }
}
