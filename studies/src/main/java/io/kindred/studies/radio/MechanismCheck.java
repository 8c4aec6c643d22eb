package io.kindred.studies.radio;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.Channel;
import io.kindred.environment.radio.Channel.ErrorOf;
import io.kindred.environment.radio.Channel.Moments;
import io.kindred.environment.radio.ChannelSimulation;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.environment.radio.RadioField;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * Compares every variant of the closed form with a simulation of the mechanism of section III.B.
 */
public final class MechanismCheck {
  private final List<Variant> variants = new ArrayList<>();
  private final double epsilon;
  private int pairs;
  private int belowEpsilon;

  public MechanismCheck(double epsilon) {
    this.epsilon = epsilon;
    for (Moments moments : Moments.values()) {
      for (ErrorOf error : ErrorOf.values()) {
        variants.add(new Variant(moments, error, false));
        variants.add(new Variant(moments, error, true));
      }
    }
    variants.add(new Variant(Moments.EXACT, ErrorOf.GIVEN_TRANSMISSION));
  }

  private static final class Variant {
    private final boolean sampled;
    private double largest;
    private final Moments moments;
    private final ErrorOf error;
    private final boolean silence;
    private double difference;
    private double excess;
    private int agreed;
    private int selected;

    /** The sampled distribution of the interference. */
    Variant(Moments moments, ErrorOf error) {
      this(moments, error, true, true);
    }

    /** One log-normal distribution. */
    Variant(Moments moments, ErrorOf error, boolean silence) {
      this(moments, error, silence, false);
    }

    private Variant(Moments moments, ErrorOf error, boolean silence, boolean sampled) {
      this.sampled = sampled;
      this.moments = moments;
      this.error = error;
      this.silence = silence;
    }

    Channel of(Channel channel) {
      return sampled
          ? channel.withSampledInterference()
          : channel.withModel(moments, error, silence);
    }

    void compare(double computed, double played, double epsilon) {
      difference += Math.abs(computed - played);
      largest = Math.max(largest, Math.abs(computed - played));
      excess += computed - played;
      agreed += (computed < epsilon) == (played < epsilon) ? 1 : 0;
      selected += computed < epsilon ? 1 : 0;
    }
  }

  /**
   * Simulates one placement and compares the results of all variants with it, for each threshold.
   */
  public void checkPlacement(
      Channel channel,
      PeerPositions peerPositions,
      List<Double> thresholds,
      int blocks,
      long number,
      RandomStreams streams) {
    List<List<ChannelSimulation.Frequency>> played =
        new ChannelSimulation(channel, new RadioField(channel, peerPositions, streams))
            .failureFrequencies(0, thresholds, blocks, streams.stream(Purpose.FADING, 0, number));
    for (int i = 0; i < thresholds.size(); i++) {
      pairs += played.get(i).size();
      for (ChannelSimulation.Frequency each : played.get(i)) {
        belowEpsilon += each.givenTransmission() < epsilon ? 1 : 0;
      }
      for (Variant variant : variants) {
        RadioField radioField =
            new RadioField(
                variant.of(channel.withSinrThreshold(thresholds.get(i))), peerPositions, streams);
        for (ChannelSimulation.Frequency each : played.get(i)) {
          variant.compare(
              radioField.errorProbability(each.peer(), 0), each.givenTransmission(), epsilon);
        }
      }
    }
  }

  /**
   * One row per variant: its deviation, and how often it selects the same peers as the mechanism.
   */
  public Table table() {
    List<List<Cell>> rows = new ArrayList<>();
    for (Variant variant : variants) {
      rows.add(
          List.of(
              Cell.of(variant.sampled ? "sampled" : "log-normal"),
              Cell.of(variant.moments.name().toLowerCase(Locale.ROOT)),
              Cell.of(variant.error.name().toLowerCase(Locale.ROOT).replace('_', '-')),
              Cell.of(variant.silence ? "apart" : "no"),
              Cell.of(variant.difference / pairs),
              Cell.of(variant.largest),
              Cell.of(variant.excess / pairs),
              Cell.of(variant.agreed / (double) pairs),
              Cell.of(variant.selected / (double) pairs)));
    }
    return new Table(
        "",
        List.of(
            Column.words("interference"),
            Column.words("moments"),
            Column.words("error"),
            Column.words("silence"),
            Column.numbers("mean difference", 4, Column.Best.LOWEST),
            Column.numbers("largest", 3, Column.Best.LOWEST),
            Column.numbers("excess", 4, Column.Best.NONE),
            Column.percent("same decision %", Column.Best.HIGHEST),
            Column.percent("selected %", Column.Best.NONE)),
        rows);
  }

  /**
   * One row per number of peers: the usual formula and one log-normal distribution beside the
   * mechanism, and how often selecting no peer at all would be the right decision.
   */
  public static Table byPeers(SortedMap<Integer, MechanismCheck> checks) {
    List<List<Cell>> rows = new ArrayList<>();
    checks.forEach(
        (peers, check) -> {
          List<Cell> row = new ArrayList<>(List.of(Cell.of(peers)));
          for (Variant variant : List.of(check.sampled(), check.logNormal())) {
            row.add(Cell.of(variant.difference / check.pairs));
            row.add(Cell.of(variant.largest));
            row.add(Cell.of(variant.agreed / (double) check.pairs));
          }
          row.add(Cell.of(1 - check.belowEpsilon / (double) check.pairs));
          rows.add(row);
        });
    List<Column> columns = new ArrayList<>();
    columns.add(Column.numbers("peers", 0, Column.Best.NONE));
    for (String interference : List.of("sampled", "log-normal")) {
      columns.add(Column.numbers(interference + ": mean difference", 4, Column.Best.NONE));
      columns.add(Column.numbers("largest", 3, Column.Best.NONE));
      columns.add(Column.percent("same decision %", Column.Best.NONE));
    }
    columns.add(Column.percent("selecting nobody %", Column.Best.NONE));
    return new Table("", columns, rows);
  }

  private Variant sampled() {
    return variants.stream().filter(each -> each.sampled).findFirst().orElseThrow();
  }

  /** The log-normal distribution that is nearest to the mechanism. */
  private Variant logNormal() {
    return variants.stream()
        .filter(each -> !each.sampled && each.moments == Moments.EXACT && each.silence)
        .filter(each -> each.error == ErrorOf.GIVEN_TRANSMISSION)
        .findFirst()
        .orElseThrow();
  }

  public String summary() {
    return String.format(
        Locale.ROOT,
        "%d pairs and thresholds; in the simulation, %.1f %% have an error below %s; selecting no"
            + " peer at all is the same decision in %.1f %%",
        pairs,
        100.0 * belowEpsilon / Math.max(1, pairs),
        epsilon,
        100.0 - 100.0 * belowEpsilon / Math.max(1, pairs));
  }
}
