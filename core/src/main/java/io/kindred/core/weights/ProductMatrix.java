package io.kindred.core.weights;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The products of each vector of one list with each of another: one matrix in place of many calls
 * of {@link VectorKernels#dot(Weights, Weights)}, with the same bits. Vectors are read in chunks
 * that stay in the cache while each is multiplied with all others, and the lanes of the sums are
 * kept between chunks.
 */
public final class ProductMatrix {
  /** A vector, or its difference from another. */
  public record Change(Weights weights, Optional<Weights> from) {
    public Change {
      if (from.isPresent() && from.get().size() != weights.size()) {
        throw new IllegalArgumentException(
            "a change from " + from.get().size() + " to " + weights.size() + " weights");
      }
    }

    int size() {
      return weights.size();
    }

    /**
     * Writes a part of the vector; the bits of {@link VectorKernels#minus}, but for zeros' signs.
     */
    private void copy(int at, int count, float[] into) {
      System.arraycopy(weights.shared(), at, into, 0, count);
      if (from.isPresent()) {
        VectorKernels.axpy(-1, from.get().shared(), at, into, 0, count);
      }
    }
  }

  private static final int LANES = VectorKernels.LANES;

  private static final VectorSpecies<Float> SPECIES =
      FloatVector.SPECIES_PREFERRED.length() <= LANES
          ? FloatVector.SPECIES_PREFERRED
          : FloatVector.SPECIES_512;

  private static final int TILE_ROWS = 2;
  private static final int TILE_COLUMNS = 4;

  /** Entries of a vector that are multiplied before the next; a tile's vectors take 24 kB. */
  private static final int CHUNK = 1024;

  private final List<Change> rows;
  private final List<Change> columns;
  private final int size;
  private final float[][] rowChunks;
  private final float[][] columnChunks = new float[TILE_COLUMNS][CHUNK];
  // The lanes of the product of row and column, at (row * columns + column) * LANES.
  private final float[] products;
  private final float[] rowSquares;
  private final float[] columnSquares;

  private ProductMatrix(List<Change> rows, List<Change> columns) {
    this.rows = List.copyOf(rows);
    this.columns = List.copyOf(columns);
    List<Change> all = new ArrayList<>(rows);
    all.addAll(columns);
    size = all.isEmpty() ? 0 : all.getFirst().size();
    for (Change each : all) {
      if (each.size() != size) {
        throw new IllegalArgumentException(
            "weights of different models: " + size + " and " + each.size() + " values");
      }
    }
    rowChunks = new float[rows.size()][CHUNK];
    products = new float[rows.size() * columns.size() * LANES];
    rowSquares = new float[rows.size() * LANES];
    columnSquares = new float[columns.size() * LANES];
  }

  /**
   * The cosines of each row with each column, as {@code dot} divided by the roots of the products
   * of both with themselves; zero where one of them is zero.
   */
  public static double[][] cosines(List<Change> rows, List<Change> columns) {
    return new ProductMatrix(rows, columns).cosines();
  }

  private double[][] cosines() {
    for (int at = 0; at < size; at += CHUNK) {
      multiplyChunk(at, Math.min(CHUNK, size - at));
    }
    double[][] cosines = new double[rows.size()][columns.size()];
    for (int row = 0; row < rows.size(); row++) {
      double norm = norm(rowSquares, row);
      for (int column = 0; column < columns.size(); column++) {
        double norms = norm * norm(columnSquares, column);
        float product = VectorKernels.sumLanes(products, (row * columns.size() + column) * LANES);
        cosines[row][column] = norms == 0 ? 0 : Math.clamp(product / norms, -1.0, 1.0);
      }
    }
    return cosines;
  }

  private static double norm(float[] squares, int index) {
    return Math.sqrt(VectorKernels.sumLanes(squares, index * LANES));
  }

  private void multiplyChunk(int at, int count) {
    for (int row = 0; row < rows.size(); row++) {
      rows.get(row).copy(at, count, rowChunks[row]);
      addProduct(rowChunks[row], rowChunks[row], count, rowSquares, row * LANES);
    }
    for (int column = 0; column < columns.size(); column += TILE_COLUMNS) {
      int taken = Math.min(TILE_COLUMNS, columns.size() - column);
      for (int i = 0; i < taken; i++) {
        float[] chunk = columnChunks[i];
        columns.get(column + i).copy(at, count, chunk);
        addProduct(chunk, chunk, count, columnSquares, (column + i) * LANES);
      }
      int row = 0;
      for (; taken == TILE_COLUMNS && row + TILE_ROWS <= rows.size(); row += TILE_ROWS) {
        addTile(row, column, count);
      }
      for (; row < rows.size(); row++) {
        for (int i = 0; i < taken; i++) {
          int to = (row * columns.size() + column + i) * LANES;
          addProduct(rowChunks[row], columnChunks[i], count, products, to);
        }
      }
    }
  }

  private static void addProduct(float[] x, float[] y, int count, float[] lanes, int to) {
    int full = count - count % LANES;
    for (int lane = 0; lane < LANES; lane += SPECIES.length()) {
      FloatVector sum = FloatVector.fromArray(SPECIES, lanes, to + lane);
      for (int i = lane; i < full; i += LANES) {
        sum = FloatVector.fromArray(SPECIES, x, i).fma(FloatVector.fromArray(SPECIES, y, i), sum);
      }
      sum.intoArray(lanes, to + lane);
    }
    addRest(x, y, full, count, lanes, to);
  }

  private static void addRest(float[] x, float[] y, int full, int count, float[] lanes, int to) {
    for (int i = full; i < count; i++) {
      lanes[to + i - full] = Math.fma(x[i], y[i], lanes[to + i - full]);
    }
  }

  private void addTile(int row, int column, int count) {
    int full = count - count % LANES;
    for (int lane = 0; lane < LANES; lane += SPECIES.length()) {
      addTwoByFour(row, column, lane, full);
    }
    for (int r = row; r < row + TILE_ROWS; r++) {
      for (int i = 0; i < TILE_COLUMNS; i++) {
        int to = (r * columns.size() + column + i) * LANES;
        addRest(rowChunks[r], columnChunks[i], full, count, products, to);
      }
    }
  }

  /** Two rows and four columns: eight sums and six values fit the registers of every machine. */
  private void addTwoByFour(int row, int column, int lane, int full) {
    int to = (row * columns.size() + column) * LANES + lane;
    int next = to + columns.size() * LANES;
    float[] x = rowChunks[row];
    float[] y = rowChunks[row + 1];
    float[] p = columnChunks[0], q = columnChunks[1], s = columnChunks[2], t = columnChunks[3];
    FloatVector xp = FloatVector.fromArray(SPECIES, products, to);
    FloatVector xq = FloatVector.fromArray(SPECIES, products, to + LANES);
    FloatVector xs = FloatVector.fromArray(SPECIES, products, to + 2 * LANES);
    FloatVector xt = FloatVector.fromArray(SPECIES, products, to + 3 * LANES);
    FloatVector yp = FloatVector.fromArray(SPECIES, products, next);
    FloatVector yq = FloatVector.fromArray(SPECIES, products, next + LANES);
    FloatVector ys = FloatVector.fromArray(SPECIES, products, next + 2 * LANES);
    FloatVector yt = FloatVector.fromArray(SPECIES, products, next + 3 * LANES);
    for (int i = lane; i < full; i += LANES) {
      FloatVector one = FloatVector.fromArray(SPECIES, x, i);
      FloatVector other = FloatVector.fromArray(SPECIES, y, i);
      FloatVector value = FloatVector.fromArray(SPECIES, p, i);
      xp = one.fma(value, xp);
      yp = other.fma(value, yp);
      value = FloatVector.fromArray(SPECIES, q, i);
      xq = one.fma(value, xq);
      yq = other.fma(value, yq);
      value = FloatVector.fromArray(SPECIES, s, i);
      xs = one.fma(value, xs);
      ys = other.fma(value, ys);
      value = FloatVector.fromArray(SPECIES, t, i);
      xt = one.fma(value, xt);
      yt = other.fma(value, yt);
    }
    xp.intoArray(products, to);
    xq.intoArray(products, to + LANES);
    xs.intoArray(products, to + 2 * LANES);
    xt.intoArray(products, to + 3 * LANES);
    yp.intoArray(products, next);
    yq.intoArray(products, next + LANES);
    ys.intoArray(products, next + 2 * LANES);
    yt.intoArray(products, next + 3 * LANES);
  }
}
