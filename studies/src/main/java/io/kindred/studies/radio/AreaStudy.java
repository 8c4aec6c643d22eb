package io.kindred.studies.radio;

import io.kindred.environment.radio.PeerPositions.Position;
import io.kindred.environment.radio.RadioField;
import io.kindred.environment.radio.Selection;
import io.kindred.report.plot.AreaMap;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One target in one placement: which senders it selects, which interferers cost it most, and the
 * error over the whole area (figure 4).
 */
public record AreaStudy(Selection selection, List<Selection.Cost> costs, List<Position> spots) {
  public AreaStudy {
    costs = List.copyOf(costs);
    spots = List.copyOf(spots);
  }

  public static AreaStudy of(RadioField radioField, int target, double epsilon) {
    Selection selection = radioField.select(target, epsilon);
    return new AreaStudy(
        selection, radioField.interferenceCosts(selection), radioField.positions().positions());
  }

  /** One row for each peer that the target may select. */
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

  /** The selection and the costliest interferers, in two lines. */
  public String summary() {
    String worst =
        costs.isEmpty()
            ? "no peer interferes"
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
    return "target %d selects %d of %d senders: %s%n%s"
        .formatted(
            selection.target(),
            selection.selected().size(),
            selection.candidates().size(),
            selection.selected(),
            worst);
  }

  /** The area, shaded by the error probability of a sender at each position. */
  public String svg(RadioField radioField, String title, double sideMetres) {
    List<AreaMap.Mark> marks = new ArrayList<>();
    for (Selection.Candidate each : selection.candidates()) {
      marks.add(
          mark(
              each.peer(),
              each.selected() ? AreaMap.MarkKind.SELECTED : AreaMap.MarkKind.INTERFERER,
              String.format(Locale.ROOT, "peer %d: error %.4f", each.peer(), each.error())));
    }
    marks.add(mark(selection.target(), AreaMap.MarkKind.TARGET, "the target"));
    return new AreaMap(
            title,
            "error of a sender; diamond: target, dots: selected",
            sideMetres,
            (x, y) -> radioField.errorAt(new Position(x, y), selection.target()),
            marks)
        .svg();
  }

  private AreaMap.Mark mark(int peer, AreaMap.MarkKind markKind, String hint) {
    Position position = spots.get(peer);
    return new AreaMap.Mark(Integer.toString(peer), position.x(), position.y(), markKind, hint);
  }
}
