package io.kindred.learning.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;

/**
 * The number of samples of each class for each peer ({@code [peer][class]}), given which classes a
 * peer may have: at least one sample of each of these, every class used up. A linear program
 * deviates as little as possible from the sizes first, and from even parts of the classes second.
 * It has the form of a transport problem with integers throughout, so its corners are integers too.
 */
final class ClassAllocation {
  /** The cost of a sample too many or too few for a peer, relative to one moved between classes. */
  private static final double SIZE_COST = 1000;

  /** One peer and one of its classes, with its even share. */
  private record Cell(int peer, int label, int evenShare) {}

  private final int[][] counts;
  private final int sizeError;

  private ClassAllocation(int[][] counts, int sizeError) {
    this.counts = counts;
    this.sizeError = sizeError;
  }

  int[][] counts() {
    return counts;
  }

  /** The sum over all peers of the absolute difference between samples and size. */
  int sizeError() {
    return sizeError;
  }

  /** The number of samples of the peer with the fewest. */
  int smallestShare() {
    return Arrays.stream(counts).mapToInt(row -> Arrays.stream(row).sum()).min().orElseThrow();
  }

  /**
   * @param sizes target number of samples of each peer, in sum the samples of all classes
   * @param holders for each class the peers that may have it
   */
  static ClassAllocation solve(int[] sizes, int[] ofClasses, List<IndexList> holders) {
    List<Cell> cells = cells(sizes, ofClasses, holders);
    Optimisation.Result result = minimize(cells, sizes, ofClasses);
    int[][] counts = new int[sizes.length][ofClasses.length];
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      long moved = Math.round(result.doubleValue(2L * i) - result.doubleValue(2L * i + 1));
      counts[cell.peer()][cell.label()] = Math.max(1, cell.evenShare() + (int) moved);
    }
    correctRounding(counts, ofClasses);
    int sizeError = 0;
    for (int peer = 0; peer < sizes.length; peer++) {
      sizeError += Math.abs(Arrays.stream(counts[peer]).sum() - sizes[peer]);
    }
    return new ClassAllocation(counts, sizeError);
  }

  private static List<Cell> cells(int[] sizes, int[] ofClasses, List<IndexList> holders) {
    List<IndexList> classesOf = IndexList.emptyLists(sizes.length);
    for (int label = 0; label < holders.size(); label++) {
      for (int i = 0; i < holders.get(label).size(); i++) {
        classesOf.get(holders.get(label).get(i)).add(label);
      }
    }
    List<Cell> cells = new ArrayList<>();
    for (int peer = 0; peer < sizes.length; peer++) {
      int[] labels = classesOf.get(peer).sorted().copy();
      double[] parts = Arrays.stream(labels).mapToDouble(label -> ofClasses[label]).toArray();
      int[] even = Rounding.inProportion(parts, sizes[peer] - labels.length);
      for (int i = 0; i < labels.length; i++) {
        cells.add(new Cell(peer, labels[i], 1 + even[i]));
      }
    }
    return cells;
  }

  /**
   * Variables: for each cell the increase and the decrease of its even share, then the same for
   * each peer's size.
   */
  private static Optimisation.Result minimize(List<Cell> cells, int[] sizes, int[] ofClasses) {
    ExpressionsBasedModel model = new ExpressionsBasedModel();
    Expression[] rows = new Expression[sizes.length];
    Expression[] columns = new Expression[ofClasses.length];
    int[] remaining = ofClasses.clone();
    cells.forEach(cell -> remaining[cell.label()] -= cell.evenShare());
    Arrays.setAll(rows, peer -> model.newExpression("peer" + peer).level(0));
    Arrays.setAll(columns, label -> model.newExpression("class" + label).level(remaining[label]));
    for (Cell cell : cells) {
      int added = model.countVariables();
      String name = cell.peer() + "." + cell.label();
      model.newVariable("more" + name).lower(0).weight(1);
      model.newVariable("less" + name).lower(0).upper(cell.evenShare() - 1).weight(1);
      rows[cell.peer()].set(added, 1).set(added + 1, -1);
      columns[cell.label()].set(added, 1).set(added + 1, -1);
    }
    for (int peer = 0; peer < sizes.length; peer++) {
      int added = model.countVariables();
      model.newVariable("above" + peer).lower(0).weight(SIZE_COST);
      model.newVariable("below" + peer).lower(0).weight(SIZE_COST);
      rows[peer].set(added, -1).set(added + 1, 1);
    }
    Optimisation.Result result = model.minimise();
    if (!result.getState().isFeasible()) {
      throw new IllegalStateException(
          "the solver did not find a class allocation, although one exists: " + result);
    }
    return result;
  }

  /**
   * If rounding has left a class with a sample too many or too few, its largest share is adjusted.
   */
  private static void correctRounding(int[][] counts, int[] ofClasses) {
    for (int label = 0; label < ofClasses.length; label++) {
      int largest = 0;
      int left = ofClasses[label];
      for (int peer = 0; peer < counts.length; peer++) {
        left -= counts[peer][label];
        largest = counts[peer][label] > counts[largest][label] ? peer : largest;
      }
      counts[largest][label] += left;
    }
  }
}
