package io.kindred.lab.radio;

import io.kindred.lab.plot.AreaMap;
import io.kindred.lab.report.Cell;
import io.kindred.lab.report.Column;
import io.kindred.lab.report.Table;
import io.kindred.world.radio.Field;
import io.kindred.world.radio.Placement.Spot;
import io.kindred.world.radio.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One target in one placement: whom it hears, who costs it most, and the whole area (figure 4). */
public record AreaStudy(Selection selection, List<Selection.Cost> costs, List<Spot> spots) {
  public AreaStudy {
    costs = List.copyOf(costs);
    spots = List.copyOf(spots);
  }

  public static AreaStudy of(Field field, int target, double epsilon) {
    Selection selection = field.select(target, epsilon);
    return new AreaStudy(selection, field.costs(selection), field.placement().spots());
  }

  /** A row for each peer that may be listened to. */
  public Table table() {
    List<List<Cell>> rows = new ArrayList<>();
    for (Selection.Candidate each : selection.candidates()) {
      double cost =
          costs.stream()
              .filter(other -> other.interferer() == each.peer())
              .mapToDouble(Selection.Cost::error)
              .findFirst()
              .orElse(Double.NaN);
      rows.add(
          List.of(
              Cell.of(each.peer()),
              Cell.of(spots.get(each.peer()).x()),
              Cell.of(spots.get(each.peer()).y()),
              Cell.of(each.metres()),
              Cell.of(each.error()),
              Cell.of(each.selected() ? "yes" : "no"),
              Cell.of(cost)));
    }
    return new Table(
        "",
        List.of(
            Column.numbers("peer", 0, Column.Best.NONE),
            Column.numbers("x", 1, Column.Best.NONE),
            Column.numbers("y", 1, Column.Best.NONE),
            Column.numbers("metres", 1, Column.Best.NONE),
            Column.numbers("error", 4, Column.Best.NONE),
            Column.words("selected"),
            Column.numbers("costs others", 4, Column.Best.NONE)),
        rows);
  }

  /** What matters of it, in two lines. */
  public String summary() {
    String worst =
        costs.isEmpty()
            ? "nobody interferes"
            : "costliest interferers: "
                + String.join(
                    ", ",
                    costs.stream()
                        .limit(3)
                        .map(
                            cost ->
                                String.format(
                                    Locale.ROOT,
                                    "%d (%+.3f error)",
                                    cost.interferer(),
                                    cost.error()))
                        .toList());
    return "target %d listens to %d of %d: %s%n%s"
        .formatted(
            selection.target(),
            selection.selected().size(),
            selection.candidates().size(),
            selection.selected(),
            worst);
  }

  /** The area with the probability that a sender at each place would not be heard. */
  public String svg(Field field, String title, double sideMetres) {
    List<AreaMap.Mark> marks = new ArrayList<>();
    for (Selection.Candidate each : selection.candidates()) {
      marks.add(
          mark(
              each.peer(),
              each.selected() ? AreaMap.Kind.HEARD : AreaMap.Kind.OTHER,
              String.format(Locale.ROOT, "peer %d: error %.4f", each.peer(), each.error())));
    }
    marks.add(mark(selection.target(), AreaMap.Kind.TARGET, "the target"));
    return new AreaMap(
            title,
            "error of a sender there; diamond target, dots selected",
            sideMetres,
            (x, y) -> field.errorAt(new Spot(x, y), selection.target()),
            marks)
        .svg();
  }

  private AreaMap.Mark mark(int peer, AreaMap.Kind kind, String hint) {
    Spot spot = spots.get(peer);
    return new AreaMap.Mark(Integer.toString(peer), spot.x(), spot.y(), kind, hint);
  }
}
