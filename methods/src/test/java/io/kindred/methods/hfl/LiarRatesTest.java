package io.kindred.methods.hfl;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

/**
 * Simulated networks of 20 clients, two of them liars. Rates are 1 to 5 Mbps; a measurement is off
 * by log-normal noise. The uplink of every fifth honest client is slower than its downlink by a
 * factor up to two, and that client measures its uplink.
 */
class LiarRatesTest {
  private static final int CLIENTS = 20;
  private static final int LIARS = 2;

  /** Shares of honest clients that are left out, and of liars that are, in the last round. */
  record Rates(double falsePositives, double detected) {}

  static Rates rates(int networks, int firstSeed, double noise, double lie, int rounds) {
    int accused = 0;
    int found = 0;
    for (int seed = firstSeed; seed < firstSeed + networks; seed++) {
      RandomStream random = new RandomStreams(seed).stream(Purpose.LINKS, 0, 0);
      double[][] truth = new double[CLIENTS][CLIENTS];
      double[] uplink = new double[CLIENTS];
      for (int i = 0; i < CLIENTS; i++) {
        uplink[i] = i % 5 == 2 ? random.uniform(0.5, 1) : 1;
        for (int j = 0; j < i; j++) {
          truth[i][j] = random.uniform(125_000, 625_000);
          truth[j][i] = truth[i][j];
        }
      }
      LinkHistory history = LinkHistory.empty(4, 3);
      for (int round = 0; round < rounds; round++) {
        history = history.with(new LinkReports(reports(truth, uplink, noise, lie, random)));
      }
      SortedSet<PeerId> out = history.contradicted(CLIENTS);
      int liars = (int) out.stream().filter(each -> each.number() < LIARS).count();
      found += liars;
      accused += out.size() - liars;
    }
    return new Rates(
        accused / (double) (networks * (CLIENTS - LIARS)), found / (double) (networks * LIARS));
  }

  private static List<ClientReport> reports(
      double[][] truth, double[] uplink, double noise, double lie, RandomStream random) {
    List<ClientReport> reports = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      List<ClientReport.Throughput> links = new ArrayList<>();
      for (int j = 0; j < CLIENTS; j++) {
        if (i != j) {
          double measured = truth[i][j] * uplink[i] * Math.exp(noise * random.nextGaussian());
          links.add(
              new ClientReport.Throughput(new PeerId(j), i < LIARS ? measured * lie : measured));
        }
      }
      reports.add(
          new ClientReport(
              new PeerId(i), 10, 5, 3, links, Optional.empty(), Floats.of(1), Optional.empty()));
    }
    return reports;
  }

  @Test
  void noHonestClientIsAccusedAndAlmostEveryLiarIsFound() {
    Rates rates = rates(40, 9_001, 0.2, 0.1, 3);

    assertThat(rates.falsePositives()).isLessThan(0.005);
    assertThat(rates.detected()).isGreaterThan(0.95);
  }

  @Test
  void lieWithinTheToleranceIsNotSeen() {
    assertThat(rates(10, 9_101, 0.2, 0.5, 3)).isEqualTo(new Rates(0, 0));
  }
}
