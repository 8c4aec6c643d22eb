package io.kindred.studies.radio;

import io.kindred.environment.radio.Channel;
import io.kindred.environment.radio.PeerPositions.Position;
import io.kindred.environment.radio.RadioField;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.List;

/** Positions, gains and links as tables that other network simulators can read. */
public final class FieldExport {
  private FieldExport() {}

  /** One row per peer, in metres from the lower left corner. */
  public static Table positions(RadioField radioField) {
    List<List<Cell>> rows = new ArrayList<>();
    List<Position> positions = radioField.positions().positions();
    for (int peer = 0; peer < positions.size(); peer++) {
      rows.add(
          List.of(
              Cell.of(peer), Cell.of(positions.get(peer).x()), Cell.of(positions.get(peer).y())));
    }
    return new Table(
        "",
        List.of(
            Column.numbers("peer", 0, Column.Best.NONE),
            Column.numbers("x", 3, Column.Best.NONE),
            Column.numbers("y", 3, Column.Best.NONE)),
        rows);
  }

  /**
   * One row per pair: path loss with shadowing and without fading, and the probability of error.
   */
  public static Table links(RadioField radioField, Channel channel, double epsilon) {
    List<List<Cell>> rows = new ArrayList<>();
    int peers = radioField.positions().size();
    for (int from = 0; from < peers; from++) {
      for (int to = 0; to < peers; to++) {
        if (from != to) {
          double error = radioField.errorProbability(from, to);
          rows.add(
              List.of(
                  Cell.of(from),
                  Cell.of(to),
                  Cell.of(radioField.positions().distanceMetres(from, to)),
                  Cell.of(radioField.sees(from, to) ? "yes" : "no"),
                  Cell.of(10 * Math.log10(radioField.gain(from, to))),
                  Cell.of(channel.bytesPerSecond()),
                  Cell.of(error),
                  Cell.of(error < epsilon ? "yes" : "no")));
        }
      }
    }
    return new Table(
        "",
        List.of(
            Column.numbers("from", 0, Column.Best.NONE),
            Column.numbers("to", 0, Column.Best.NONE),
            Column.numbers("metres", 3, Column.Best.NONE),
            Column.words("sight"),
            Column.numbers("gainDb", 3, Column.Best.NONE),
            Column.numbers("bytesPerSecond", 0, Column.Best.NONE),
            Column.numbers("error", 6, Column.Best.NONE),
            Column.words("selected")),
        rows);
  }
}
