package io.kindred.report;

import io.kindred.report.plot.ConfusionMap;
import io.kindred.report.plot.MatrixMap;
import io.kindred.report.plot.Size;
import io.kindred.report.run.Confusions;
import io.kindred.report.run.LabelCounts;
import io.kindred.report.run.OverlayTree;
import io.kindred.report.run.SimilarityTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Figures of the artifacts that a run leaves: data partition, model similarity and overlay
 * hierarchy. Artifacts differ by seed; the first run of each method is shown.
 */
record ArtifactFigures(List<MethodRuns> methods, boolean titled) {
  /** More panels than this would make the page too long. */
  private static final int MOST_PANELS = 6;

  private static final int MOST_MISTAKES = 3;

  private static final String SIMILARITY = "Similarity of the models at the end";

  List<Figure> all() {
    List<Figure> figures = new ArrayList<>();
    confusions().ifPresent(figures::add);
    partition().ifPresent(figures::add);
    similarity().ifPresent(figures::add);
    overlay().ifPresent(figures::add);
    return figures;
  }

  /** Shown for a single task only: the rows of one matrix are the classes of all. */
  private Optional<Figure> confusions() {
    if (methods.stream().map(MethodRuns::task).distinct().count() != 1) {
      return Optional.empty();
    }
    List<ConfusionMap.Panel> panels = new ArrayList<>();
    List<String> mistakes = new ArrayList<>();
    List<String> classes = List.of();
    for (MethodRuns method : methods) {
      Optional<Confusions> found = method.first().artifacts().confusions();
      if (found.isPresent()
          && panels.size() < MOST_PANELS
          && (classes.isEmpty() || classes.equals(found.get().classes()))) {
        classes = found.get().classes();
        panels.add(new ConfusionMap.Panel(method.name(), found.get().samples()));
        mostFrequent(found.get())
            .ifPresent(each -> mistakes.add(method.name() + " takes " + each + "."));
      }
    }
    if (panels.isEmpty()) {
      return Optional.empty();
    }
    String title = "Which class is taken for which";
    String svg =
        new ConfusionMap(titled ? title : "", classes, panels, Size.STANDARD.width()).svg();
    String caption =
        "Test samples of all peers at the last round, each judged by its own peer's model: a row"
            + " for each true class, a column for each predicted class. A cell shows the number of"
            + " samples; its shade is their share of the row. "
            + String.join(" ", mistakes)
            + seed(methods.getFirst());
    return Optional.of(new Figure("confusion", title, caption, svg));
  }

  private static Optional<String> mostFrequent(Confusions confusions) {
    List<String> words =
        confusions.mistakes(MOST_MISTAKES).stream()
            .map(each -> each.label() + " for " + each.predicted() + " (" + each.samples() + ")")
            .toList();
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of("most often " + String.join(", ", words));
  }

  private Optional<Figure> partition() {
    // A partition can be shown only for a single task, whose methods all share it.
    if (methods.stream().map(MethodRuns::task).distinct().count() != 1) {
      return Optional.empty();
    }
    return methods
        .getFirst()
        .first()
        .artifacts()
        .labelCounts()
        .filter(s -> s.labels() > 1)
        .map(this::draw);
  }

  private Figure draw(LabelCounts labelCounts) {
    String title = "Classes of each peer";
    String caption =
        "Samples by peer and class, held-out samples included. A stronger shade means more samples,"
            + " up to "
            + Math.round(labelCounts.largest())
            + " (the shade follows the square root)."
            + (labelCounts.rows().size() > LabelCounts.MOST_SHOWN
                ? " The first "
                    + LabelCounts.MOST_SHOWN
                    + " of "
                    + labelCounts.rows().size()
                    + " peers."
                : "")
            + seed(methods.getFirst());
    String svg = labelCounts.svg(titled ? title : "", Size.STANDARD.width());
    return new Figure("partition", title, caption, svg);
  }

  private Optional<Figure> similarity() {
    List<MatrixMap.Panel> panels = new ArrayList<>();
    SequencedSet<String> kinds = new LinkedHashSet<>();
    for (MethodRuns method : methods) {
      Optional<SimilarityTable> found = method.first().artifacts().similarity();
      if (found.isPresent() && panels.size() < MOST_PANELS) {
        panels.add(found.get().panel(method.name()));
        kinds.add(clusterSource(found.get().kind()));
      }
    }
    if (panels.isEmpty()) {
      return Optional.empty();
    }
    String svg =
        new MatrixMap(titled ? SIMILARITY : "", "cosine of changes since the start", panels).svg();
    String caption =
        "Each row and each column is a peer; a cell is the cosine between the changes of two peers'"
            + " models since the common start. Peers are ordered by cluster, and lines separate the"
            + " clusters: "
            + String.join("; or ", kinds)
            + "."
            + seed(methods.getFirst());
    return Optional.of(new Figure("similarity", SIMILARITY, caption, svg));
  }

  private static String clusterSource(String kind) {
    return switch (kind) {
      case "planted" -> "the clusters that the partition planted";
      case "found" -> "the clusters that the method found";
      default -> "the clusters that affinity propagation finds in these cosines";
    };
  }

  private Optional<Figure> overlay() {
    for (MethodRuns method : methods) {
      Optional<OverlayTree> tree = method.first().artifacts().overlay();
      if (tree.isPresent()) {
        String title = "The overlay's hierarchy at the end";
        String caption =
            "Clusters of peers with similar models, and clusters of such clusters, in the run of "
                + method.name()
                + "; numbers are peers."
                + seed(method);
        String svg = tree.get().svg(titled ? title : "", Size.STANDARD.width());
        return Optional.of(new Figure("overlay", title, caption, svg));
      }
    }
    return Optional.empty();
  }

  private static String seed(MethodRuns method) {
    return method.runs().size() > 1 ? " Seed " + method.first().seed() + "." : "";
  }
}
