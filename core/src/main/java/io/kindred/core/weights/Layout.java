package io.kindred.core.weights;

import java.util.ArrayList;
import java.util.List;

/** Where each named block of a model lies in its flat vector. */
public record Layout(List<Block> blocks) {
  /**
   * One block, such as a layer's bias. {@code trained} is false for state that travels with the
   * model but has no gradient (running statistics of a normalization).
   */
  public record Block(String name, List<Integer> shape, int offset, boolean trained) {
    public Block {
      shape = List.copyOf(shape);
    }

    public int size() {
      int size = 1;
      for (int extent : shape) {
        size = Math.multiplyExact(size, extent);
      }
      return size;
    }

    public int end() {
      return offset + size();
    }
  }

  public Layout {
    blocks = List.copyOf(blocks);
    int offset = 0;
    for (Block block : blocks) {
      if (block.offset() != offset) {
        throw new IllegalArgumentException(
            "block " + block.name() + " must start at " + offset + ", not " + block.offset());
      }
      offset = block.end();
    }
  }

  public int size() {
    return blocks.isEmpty() ? 0 : blocks.getLast().end();
  }

  public Block block(String name) {
    for (Block block : blocks) {
      if (block.name().equals(name)) {
        return block;
      }
    }
    throw new IllegalArgumentException("no block " + name + " in " + blocks);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Lays blocks end to end. */
  public static final class Builder {
    private final List<Block> blocks = new ArrayList<>();
    private int offset;

    public Builder add(String name, Integer... shape) {
      return add(name, true, shape);
    }

    public Builder add(String name, boolean trained, Integer... shape) {
      Block block = new Block(name, List.of(shape), offset, trained);
      blocks.add(block);
      offset = block.end();
      return this;
    }

    public Layout build() {
      return new Layout(blocks);
    }
  }
}
