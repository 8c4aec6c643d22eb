package io.kindred.environment.radio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.Channel.ErrorOf;
import io.kindred.environment.radio.Channel.Moments;
import io.kindred.environment.radio.PeerPositions.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class RadioFieldTest {
  private static final Channel TABLE = Channel.paperDefaults();

  private static RandomStream random(long seed) {
    return new RandomStreams(seed).stream(new Purpose("test"), 0, 0);
  }

  private static RadioField fieldOf(Channel channel, PeerPositions peerPositions) {
    return new RadioField(channel, peerPositions, new RandomStreams(1));
  }

  private static PeerPositions placed(int peers, long seed) {
    return PeerPositions.uniform(peers, 50, random(seed));
  }

  @Test
  void aPoissonProcessHasItsMeanAsVariance() {
    RandomStream random = random(5);
    double sum = 0;
    double squares = 0;
    int draws = 4000;
    for (int i = 0; i < draws; i++) {
      double count = PeerPositions.poisson(0.004, 50, random).size();
      sum += count;
      squares += count * count;
    }
    double mean = sum / draws;
    // Ten expected; four standard errors.
    assertThat(mean).isCloseTo(10, within(4 * Math.sqrt(10.0 / draws)));
    assertThat(squares / draws - mean * mean).isCloseTo(10, within(1.0));
    assertThat(PeerPositions.poisson(0, 50, random).size()).isZero();
    assertThatThrownBy(() -> PeerPositions.poisson(-1, 50, random))
        .isInstanceOf(SettingException.class);
    assertThat(placed(200, 1).positions())
        .allMatch(
            position ->
                position.x() >= 0 && position.x() < 50 && position.y() >= 0 && position.y() < 50);
  }

  /** All formulas of III.B computed once more, by Simpson's rule over amplitudes. */
  @Test
  void theErrorIsTheIntegralOfTheTextUnderASimplerRule() {
    PeerPositions peerPositions = placed(8, 3);
    for (double gamma : List.of(0.5, 5.0, 15.0, 1e5)) {
      for (ErrorOf of : ErrorOf.values()) {
        Channel channel = TABLE.withSinrThreshold(gamma).withModel(Moments.UNSQUARED, of, false);
        assertThat(fieldOf(channel, peerPositions).errorProbability(2, 0))
            .as("threshold %s, %s", gamma, of)
            .isCloseTo(simpson(channel, peerPositions, 2, 0), within(2e-7));
      }
    }
  }

  private static double simpson(Channel channel, PeerPositions peerPositions, int from, int to) {
    double tail = Math.exp(-2);
    double transmits = (1 - Math.pow(1 - tail, 14)) / 14;
    double mean = 0;
    double variance = 0;
    for (int r = 0; r < peerPositions.size(); r++) {
      if (r != from && r != to) {
        double watts = 0.2 * channel.pathGain(peerPositions.distanceMetres(r, to));
        double first = watts * 6 * tail * transmits;
        mean += first;
        variance += watts * watts * 40 * tail * transmits - first * first;
      }
    }
    double sigma2 = Math.log(1 + variance / (mean * mean));
    double mu = Math.log(mean) - sigma2 / 2;
    double watts = 0.2 * channel.pathGain(peerPositions.distanceMetres(from, to));
    DoubleUnaryOperator integrand =
        x -> {
          double left = watts * x * x / channel.sinrThreshold() - channel.noiseWatts();
          double above = left <= 0 ? 1 : 1 - normal((Math.log(left) - mu) / Math.sqrt(sigma2));
          return x * Math.exp(-x * x / 2) * above;
        };
    int steps = 400_000;
    double width = 12.0 / steps;
    double sum = integrand.applyAsDouble(2) + integrand.applyAsDouble(14);
    for (int i = 1; i < steps; i++) {
      sum += (i % 2 == 0 ? 2 : 4) * integrand.applyAsDouble(2 + i * width);
    }
    double joint = sum * width / 3;
    return channel.error() == ErrorOf.JOINT ? joint : joint / tail;
  }

  /** The standard normal distribution, after Hastings (26.2.17 of Abramowitz and Stegun). */
  private static double normal(double z) {
    double t = 1 / (1 + 0.2316419 * Math.abs(z));
    double sum =
        t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    double upper = sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    return z >= 0 ? 1 - upper : upper;
  }

  @Test
  void thePrintedIntegralCannotExceedTheTail() {
    Channel printed = TABLE.withSinrThreshold(1e9).withModel(Moments.PRINTED, ErrorOf.JOINT, false);
    assertThat(fieldOf(printed, placed(20, 1)).errorProbability(3, 0))
        .isCloseTo(Math.exp(-2), within(1e-9));
    assertThat(
            fieldOf(
                    printed.withModel(Moments.PRINTED, ErrorOf.GIVEN_TRANSMISSION, false),
                    placed(20, 1))
                .errorProbability(3, 0))
        .isCloseTo(1, within(1e-9));
  }

  @Test
  void aloneOnlyNoiseCanDrownASender() {
    PeerPositions two = new PeerPositions(List.of(new Position(0, 0), new Position(30, 40)));
    assertThat(fieldOf(TABLE, two).errorProbability(1, 0)).isZero();
    // A threshold at which the power needed is exactly six: the error is the mass of the
    // distribution below it.
    double watts = 0.2 * TABLE.pathGain(50);
    Channel deaf = TABLE.withSinrThreshold(6 * watts / TABLE.noiseWatts());
    double below = Math.pow(1 - Math.exp(-3), 14) - Math.pow(1 - Math.exp(-2), 14);
    assertThat(fieldOf(deaf, two).errorProbability(1, 0))
        .isCloseTo(below / TABLE.transmitProbability(), within(1e-9));
  }

  /** A small check; {@code kindred radio check} simulates thirty placements. */
  @Test
  void theMechanismFailsAboutAsOftenAsOrderStatisticsAndSilenceSay() {
    double difference = 0;
    double asInPaper = 0;
    int pairs = 0;
    for (long seed = 1; seed <= 4; seed++) {
      PeerPositions peerPositions = placed(11, seed);
      RadioField radioField = fieldOf(TABLE, peerPositions);
      RadioField paper =
          fieldOf(TABLE.withModel(Moments.PRINTED, ErrorOf.JOINT, false), peerPositions);
      for (ChannelSimulation.Frequency each :
          new ChannelSimulation(TABLE, radioField)
              .failureFrequencies(0, List.of(10.0), 8000, random(100 + seed))
              .get(0)) {
        difference +=
            Math.abs(radioField.errorProbability(each.peer(), 0) - each.givenTransmission());
        asInPaper += Math.abs(paper.errorProbability(each.peer(), 0) - each.givenTransmission());
        pairs++;
      }
    }
    assertThat(difference / pairs).isLessThan(0.06);
    assertThat(asInPaper / pairs).isGreaterThan(0.15);
  }

  @Test
  void aNearInterfererMakesNoErrorWrong() {
    double largest = 0;
    double largestWithoutThem = 0;
    double excess = 0;
    int pairs = 0;
    Channel together = TABLE.withModel(Moments.EXACT, ErrorOf.GIVEN_TRANSMISSION, true);
    for (long seed = 31; seed <= 33; seed++) {
      RadioField radioField = fieldOf(TABLE, placed(21, seed));
      RadioField lumped = fieldOf(together, placed(21, seed));
      for (ChannelSimulation.Frequency each :
          new ChannelSimulation(TABLE, radioField)
              .failureFrequencies(0, List.of(10.0), 20_000, random(100 + seed))
              .get(0)) {
        double difference = radioField.errorProbability(each.peer(), 0) - each.givenTransmission();
        largest = Math.max(largest, Math.abs(difference));
        excess += difference;
        largestWithoutThem =
            Math.max(
                largestWithoutThem,
                Math.abs(lumped.errorProbability(each.peer(), 0) - each.givenTransmission()));
        pairs++;
      }
    }
    assertThat(largestWithoutThem).isGreaterThan(0.2);
    assertThat(largest).isLessThan(0.05);
    assertThat(excess / pairs).isBetween(-0.01, 0.01);
  }

  @Test
  void theMechanismWithOneInterfererIsAnArithmeticExercise() {
    // Both senders are equally far and the threshold is above what fading can bridge: a
    // transmission fails exactly when both use the same sub-channel.
    PeerPositions three =
        new PeerPositions(List.of(new Position(0, 0), new Position(20, 0), new Position(0, 20)));
    Channel channel = TABLE.withSinrThreshold(50);
    double meet = channel.transmitProbability() / 14;
    int blocks = 60_000;
    List<ChannelSimulation.Frequency> played =
        new ChannelSimulation(channel, fieldOf(channel, three))
            .failureFrequencies(0, List.of(50.0), blocks, random(1))
            .get(0);
    double error = 4 * Math.sqrt(meet / blocks);
    assertThat(played.get(0).givenTransmission()).isCloseTo(meet, within(error));
    assertThat(played.get(0).overAllBlocks())
        .isCloseTo(meet * channel.transmitProbability(), within(error));
    assertThat(fieldOf(channel, three).errorProbability(1, 0)).isCloseTo(meet, within(1e-3));
  }

  @Test
  void selectionFallsWithTheThresholdAndRisesWithToleranceAndSubChannels() {
    List<Integer> byGamma = new ArrayList<>();
    for (double gamma : List.of(2.0, 5.0, 10.0, 15.0)) {
      byGamma.add(selected(TABLE.withSinrThreshold(gamma), 0.2));
    }
    assertThat(byGamma.reversed()).isSorted();
    List<Integer> byTolerance = new ArrayList<>();
    for (double epsilon : List.of(0.05, 0.1, 0.2, 0.4)) {
      byTolerance.add(selected(TABLE, epsilon));
    }
    assertThat(byTolerance).isSorted();
    assertThat(byTolerance.getLast()).isGreaterThan(byTolerance.getFirst());
    List<Integer> bySubChannels = new ArrayList<>();
    for (int count : List.of(8, 14, 20, 60)) {
      bySubChannels.add(selected(TABLE.withSubChannels(count), 0.2));
    }
    assertThat(bySubChannels).isSorted();
  }

  private static int selected(Channel channel, double epsilon) {
    int count = 0;
    for (long seed = 1; seed <= 10; seed++) {
      count += fieldOf(channel, placed(11, seed)).select(0, epsilon).selected().size();
    }
    return count;
  }

  @Test
  void theInterfererNextToTheTargetCostsItMost() {
    PeerPositions peerPositions =
        new PeerPositions(
            List.of(
                new Position(25, 25),
                new Position(45, 45),
                new Position(26, 26),
                new Position(5, 25)));
    RadioField radioField = fieldOf(TABLE, peerPositions);
    Selection selection = radioField.select(0, 0.5);
    List<Selection.Cost> costs = radioField.interferenceCosts(selection);
    assertThat(costs).hasSize(3);
    assertThat(costs.getFirst().interferer()).isEqualTo(2);
    // Without the near peer, each of the others is only disturbed by the other.
    double gained =
        radioField.errorProbability(1, 0)
            - radioField.errorWithout(2, 1, 0)
            + radioField.errorProbability(3, 0)
            - radioField.errorWithout(2, 3, 0);
    assertThat(costs.getFirst().error()).isCloseTo(gained / 2, within(1e-12));
    assertThat(selection.selected()).contains(2);
  }
}
