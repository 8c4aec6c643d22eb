package io.kindred.report;

import io.kindred.report.plot.HeatMap;
import io.kindred.report.plot.MatrixMap;
import io.kindred.report.plot.PullGraph;
import io.kindred.report.plot.PullGraph.Shape;
import io.kindred.report.plot.Size;
import io.kindred.report.run.Explanations;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;

/** Figures of whose models each peer mixed in, for every method that reports it. */
record PullFigures(List<MethodRuns> methods, boolean titled) {
  private static final String TITLE = "Who pulled whom";
  private static final String NAME = "who-pulled-whom";

  /** With more peers than this, lines hide each other, and a matrix takes their place. */
  static final int MOST_NODES = 60;

  /** With more peers than this, the cells of a matrix are smaller than a pixel. */
  static final int MOST_ROWS = 300;

  private static final int LINES_PER_PEER = 5;
  private static final int MOST_FIGURES = 4;

  List<Figure> all() {
    List<MethodRuns> mixing =
        methods.stream()
            .filter(
                each ->
                    each.first().artifacts().explanations().filter(Explanations::mixed).isPresent())
            // Peers that choose what they deploy say more than those that mix whatever comes.
            .sorted(Comparator.comparing(PullFigures::isWithoutChoice))
            .limit(MOST_FIGURES)
            .toList();
    List<Figure> figures = new ArrayList<>();
    for (MethodRuns method : mixing) {
      method
          .first()
          .artifacts()
          .explanations()
          .ifPresent(
              each ->
                  figures.add(
                      figure(method, each, mixing.size() > 1 ? NAME + "-" + slug(method) : NAME)));
    }
    return figures;
  }

  private static boolean isWithoutChoice(MethodRuns method) {
    return method
        .first()
        .artifacts()
        .explanations()
        .filter(each -> !each.choices().isEmpty())
        .isEmpty();
  }

  /** The name of a method as part of a file name, so that a figure keeps its name beside others. */
  private static String slug(MethodRuns method) {
    return method
        .name()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9.=-]+", "_")
        .replaceAll("^_|_$", "");
  }

  private Figure figure(MethodRuns method, Explanations explanations, String name) {
    String title = TITLE + (methods.size() > 1 ? ": " + method.name() : "");
    String drawnTitle = titled ? title : "";
    String seed = method.runs().size() > 1 ? " Seed " + method.first().seed() + "." : "";
    String span = span(explanations);
    if (explanations.peers().size() <= MOST_NODES) {
      return new Figure(
          name, title, graphCaption(explanations, span) + seed, graph(explanations, drawnTitle));
    }
    if (explanations.peers().size() <= MOST_ROWS || explanations.byGroup().size() < 2) {
      return new Figure(
          name, title, matrixCaption(explanations, span) + seed, matrix(explanations, drawnTitle));
    }
    String caption =
        "Rows are groups that pull, columns the groups of the peers that they pull from; a stronger"
            + " shade is a larger share of the weight of pulled models"
            + span
            + ". There are "
            + explanations.peers().size()
            + " peers, too many to draw one by one.";
    return new Figure(name, title, caption + seed, byGroup(explanations, drawnTitle));
  }

  private static String span(Explanations explanations) {
    return explanations.rounds() == 1
        ? ", in the last evaluated round"
        : ", mean over the last " + explanations.rounds() + " evaluated rounds";
  }

  private static String groupWords(Explanations explanations) {
    return switch (explanations.groups()) {
      case "planted" -> " Groups are those that the partition planted.";
      case "label" -> " Peers are grouped by the label of most of their samples.";
      default -> "";
    };
  }

  private static String graphCaption(Explanations explanations, String span) {
    boolean pure = explanations.peers().stream().anyMatch(each -> each.purity().isPresent());
    return "A line leads from a peer to each of the "
        + LINES_PER_PEER
        + " peers whose models have the largest weights in its mixed model"
        + span
        + "; a thicker line is a larger weight. Lines between groups are black."
        + (pure
            ? " Inside is the share of the weight that comes from peers of the same group."
            : "")
        + groupWords(explanations)
        + (explanations.choices().isEmpty() ? "" : " Shapes show which model a peer deploys.");
  }

  private static String graph(Explanations explanations, String title) {
    List<PullGraph.Group> groups = new ArrayList<>();
    List<PullGraph.Pull> pulls = new ArrayList<>();
    for (Map.Entry<Integer, List<Explanations.Peer>> group : explanations.byGroup().entrySet()) {
      groups.add(
          new PullGraph.Group(
              explanations.groupName(group.getKey()),
              purity(group.getValue()),
              group.getValue().stream().map(PullFigures::node).toList()));
      for (Explanations.Peer peer : group.getValue()) {
        peer.pulled().entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(LINES_PER_PEER)
            .forEach(
                each ->
                    pulls.add(new PullGraph.Pull(peer.number(), each.getKey(), each.getValue())));
      }
    }
    return new PullGraph(title, groups, pulls).svg();
  }

  private static PullGraph.Node node(Explanations.Peer peer) {
    return new PullGraph.Node(
        peer.number(),
        shape(peer.choice()),
        peer.choice(),
        "peer " + peer.number() + " " + peer.sentence());
  }

  private static Shape shape(String choice) {
    return switch (choice) {
      case "personal" -> Shape.SQUARE;
      case "alone" -> Shape.TRIANGLE;
      case "ensemble" -> Shape.DIAMOND;
      default -> Shape.DOT;
    };
  }

  private static String purity(List<Explanations.Peer> peers) {
    OptionalDouble mean =
        peers.stream()
            .map(Explanations.Peer::purity)
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .average();
    return mean.isPresent()
        ? String.format(Locale.ROOT, "%.0f %% inside", mean.getAsDouble() * 100)
        : "";
  }

  private static String matrixCaption(Explanations explanations, String span) {
    int peers = explanations.peers().size();
    return "Rows are peers that pull, columns the peers that they pull from; a stronger shade is a"
        + " larger weight in the mixed model"
        + span
        + ". Lines separate groups."
        + groupWords(explanations)
        + (peers > MOST_ROWS ? " The first " + MOST_ROWS + " of " + peers + " peers." : "");
  }

  private static String matrix(Explanations explanations, String title) {
    List<Explanations.Peer> shown =
        explanations.byGroup().values().stream().flatMap(List::stream).limit(MOST_ROWS).toList();
    List<double[]> rows = new ArrayList<>();
    for (Explanations.Peer peer : shown) {
      rows.add(
          shown.stream()
              .mapToDouble(other -> peer.pulled().getOrDefault(other.number(), 0.0))
              .toArray());
    }
    List<Integer> sizes = explanations.byGroup().values().stream().map(List::size).toList();
    return new MatrixMap(
            title,
            "weight of the pulled models",
            List.of(
                new MatrixMap.Panel(
                    "", rows, shown.size() < explanations.peers().size() ? List.of() : sizes)))
        .svg();
  }

  private static String byGroup(Explanations explanations, String title) {
    SortedMap<Integer, List<Explanations.Peer>> byGroup = explanations.byGroup();
    List<HeatMap.Row> rows = new ArrayList<>();
    byGroup.forEach(
        (group, peers) -> {
          List<Double> weights = new ArrayList<>(Collections.nCopies(byGroup.lastKey() + 1, 0.0));
          peers.stream()
              .flatMap(peer -> peer.pulled().entrySet().stream())
              .forEach(
                  each ->
                      explanations
                          .groupOf(each.getKey())
                          .ifPresent(
                              from -> weights.set(from, weights.get(from) + each.getValue())));
          double all = weights.stream().mapToDouble(Double::doubleValue).sum();
          rows.add(
              new HeatMap.Row(
                  explanations.groupName(group),
                  weights.stream().map(each -> all > 0 ? each / all : 0).toList()));
        });
    return new HeatMap(
            title, "group that pulls", "group pulled from", List.of(), rows, Size.STANDARD.width())
        .svg();
  }
}
