package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Ints;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.link.LinkModel;
import io.kindred.environment.link.RadioLinks;
import io.kindred.environment.link.RadioTransfers;
import io.kindred.environment.link.RadioTransfers.Combining;
import io.kindred.environment.link.RadioTransfers.Interferers;
import io.kindred.environment.link.RadioTransfers.Rate;
import io.kindred.environment.mobility.RandomWaypoint;
import io.kindred.environment.radio.Channel;
import io.kindred.environment.radio.ComputedGains;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.runtime.metrics.TrafficTotals;
import io.kindred.simulator.invariants.Invariants;
import io.kindred.simulator.state.Traffic;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Any method runs over radio links. */
class RadioSimulationTest {
  private static final Dfedavgm METHOD = new Dfedavgm(0.5, TimeoutPolicy.of(60), 0);
  private static final int PEERS = 7;

  private static NetworkSettings radio(RadioTransfers transfers) {
    return radio(Channel.paperDefaults(), transfers);
  }

  private static NetworkSettings radio(Channel channel, RadioTransfers transfers) {
    return over(new RadioLinks(channel, 50, 1, -1, transfers, 0.005));
  }

  private static NetworkSettings over(RadioLinks links) {
    NetworkSettings usual = SmallSimulation.NETWORK;
    return new NetworkSettings(
        usual.devices(),
        links,
        usual.jitter(),
        usual.rewire(),
        usual.segments(),
        usual.roundSeconds(),
        usual.noticeSeconds());
  }

  private static SmallSimulation world(RadioTransfers transfers) {
    return SmallSimulation.of(PEERS, 4).withNetwork(radio(transfers));
  }

  private static RadioTransfers transfers(
      int retries, double blockSeconds, Combining combining, Interferers interferers) {
    return new RadioTransfers(
        retries, blockSeconds, combining, Rate.FIXED, 0.1, interferers, true, 1, 0);
  }

  private static long count(SmallSimulation.FinishedRun run, String name) {
    return run.simulation().counts().getOrDefault(name, 0L);
  }

  @Test
  void theSameSeedGivesTheSameTraceWhateverTheWorkersAndCuts() {
    // Blocks so short that a model takes several, so that cuts fall into transfers.
    RadioTransfers transfers = transfers(3, 0.0005, Combining.CHASE, Interferers.ACTIVE);
    Digest once = world(transfers).run(METHOD, Invariants.of(METHOD, PEERS)).traceHash();
    assertThat(world(transfers).withWorkers(1).run(METHOD).traceHash()).isEqualTo(once);
    assertThat(world(transfers).runWithSnapshots(METHOD, ShellService.NONE, 3).traceHash())
        .isEqualTo(once);
    assertThat(world(transfers).withSeed(2).run(METHOD).traceHash()).isNotEqualTo(once);
  }

  @Test
  void aMessageTakesAsManyBlocksAsItsSizeNeeds() {
    SmallSimulation.FinishedRun coarse =
        world(transfers(1000, 1, Combining.NONE, Interferers.ACTIVE)).run(METHOD);
    SmallSimulation.FinishedRun fine =
        world(transfers(1000, 0.0005, Combining.NONE, Interferers.ACTIVE)).run(METHOD);
    long messages = count(coarse, "link-blocks") - count(coarse, "link-retries");
    Traffic.Account account = coarse.traffic().account(0);
    double modelBytes = account.receivedModel() / (double) account.modelsReceived();
    double blockBytes = 0.0005 * Channel.paperDefaults().bytesPerSecond();
    long blocks = (long) Math.ceil(modelBytes / blockBytes);
    assertThat(blocks).isGreaterThan(1);
    assertThat(count(fine, "link-blocks") - count(fine, "link-retries"))
        .isBetween(messages * blocks, messages * (blocks + 1));
    assertThat(count(fine, "link-lost")).isZero();
  }

  @Test
  void retriesCostBytesAndSaveModels() {
    SmallSimulation.FinishedRun patient =
        world(transfers(20, 0.05, Combining.NONE, Interferers.SATURATED)).run(METHOD);
    SmallSimulation.FinishedRun hasty =
        world(transfers(0, 0.05, Combining.NONE, Interferers.SATURATED)).run(METHOD);
    assertThat(count(patient, "link-retries")).isPositive();
    assertThat(count(hasty, "link-retries")).isZero();
    assertThat(count(patient, "link-lost")).isLessThan(count(hasty, "link-lost"));
    assertThat(patient.traffic().lostBytes()).isPositive();
    long received = 0;
    for (int peer = 0; peer < PEERS; peer++) {
      Traffic.Account account = patient.traffic().account(peer);
      received += account.receivedControl() + account.receivedModel();
    }
    TrafficTotals totals = patient.traffic().totals(0);
    assertThat(received + patient.traffic().lostBytes())
        .isEqualTo(totals.modelBytes() + totals.controlBytes());
  }

  @Test
  void combinedRepetitionsReachPeersThatNoSingleOneReaches() {
    assertThat(count(run(Combining.CHASE), "link-lost"))
        .isLessThan(count(run(Combining.NONE), "link-lost") / 2);
  }

  /** At a threshold that the noise alone keeps most pairs from reaching at once. */
  private static SmallSimulation.FinishedRun run(Combining combining) {
    RadioTransfers transfers = transfers(60, 0.05, combining, Interferers.ACTIVE);
    return SmallSimulation.of(PEERS, 4)
        .withNetwork(radio(Channel.paperDefaults().withSinrThreshold(1e6), transfers))
        .run(METHOD);
  }

  @Test
  void onlyPeersThatTransmitInterfere() {
    SmallSimulation.FinishedRun active =
        world(transfers(20, 0.05, Combining.NONE, Interferers.ACTIVE)).run(METHOD);
    SmallSimulation.FinishedRun saturated =
        world(transfers(20, 0.05, Combining.NONE, Interferers.SATURATED)).run(METHOD);
    assertThat(count(active, "link-retries")).isLessThan(count(saturated, "link-retries"));
  }

  @Test
  void airtimeIsTheBytesOverTheRateAndWhatOnePeerSendsAnotherHears() {
    SmallSimulation.FinishedRun run = world(RadioTransfers.usual()).run(METHOD);
    long sending = 0;
    long receiving = 0;
    for (int peer = 0; peer < PEERS; peer++) {
      sending += run.traffic().account(peer).sendingTicks();
      receiving += run.traffic().account(peer).receivingTicks();
    }
    TrafficTotals totals = run.traffic().totals(0);
    double seconds =
        (totals.modelBytes() + totals.controlBytes()) / Channel.paperDefaults().bytesPerSecond();
    // Each block is rounded up to a microsecond.
    double rounding = count(run, "link-blocks") * 1e-6;
    assertThat(Ticks.toSeconds(sending)).isBetween(seconds, seconds + rounding);
    assertThat(receiving).isEqualTo(sending);
    RadioLinks links =
        (RadioLinks)
            radio(
                    new RadioTransfers(
                        5,
                        0.05,
                        Combining.CHASE,
                        Rate.FIXED,
                        0.1,
                        Interferers.ACTIVE,
                        true,
                        0.25,
                        0.1))
                .links();
    // 0.2 W radiated at an efficiency of a quarter for two seconds, 0.1 W for three.
    assertThat(links.joules(2_000_000, 3_000_000)).isCloseTo(1.9, within(1e-12));
  }

  @Test
  void aRoundIsOverWithTheModelsOfTheChosenNeighbours() {
    NetworkSettings choosing =
        over(new RadioLinks(Channel.paperDefaults(), 50, 0.1, -1, RadioTransfers.usual(), 0.005));
    SmallSimulation.FinishedRun run =
        SmallSimulation.of(PEERS, 4).withNetwork(choosing).run(METHOD);
    LinkModel links = choosing.links().forPeers(PEERS, 60, new RandomStreams(1));
    long received = 0;
    for (int peer = 0; peer < PEERS; peer++) {
      received += run.traffic().account(peer).modelsReceived();
    }
    List<Ints> chosen = links.chosenNeighbours(run.simulation().initialGraph()).orElseThrow();
    long expected = 4L * chosen.stream().mapToInt(Ints::size).sum();
    assertThat(expected).isPositive();
    assertThat(received + count(run, "link-lost")).isBetween(expected, expected + 4);
    assertThat(run.simulation().unfinishedPeers()).isEmpty();
  }

  /** Peers that walk so fast that every block finds them elsewhere. */
  private static NetworkSettings walking(RadioTransfers transfers) {
    return over(
        new RadioLinks(
            Channel.paperDefaults(),
            50,
            1,
            -1,
            new RandomWaypoint(500, 1000, 0),
            new ComputedGains(),
            transfers,
            0.005));
  }

  @Test
  void peersThatMoveAndAdaptTheirRateGiveTheSameTraceWhateverTheWorkersAndCuts() {
    RadioTransfers transfers =
        transfers(20, 0.0005, Combining.CHASE, Interferers.SATURATED).withRate(Rate.ADAPTED);
    SmallSimulation walkers = SmallSimulation.of(PEERS, 4).withNetwork(walking(transfers));
    Digest once = walkers.run(METHOD, Invariants.of(METHOD, PEERS)).traceHash();
    assertThat(walkers.withWorkers(1).run(METHOD).traceHash()).isEqualTo(once);
    assertThat(walkers.runWithSnapshots(METHOD, ShellService.NONE, 3).traceHash()).isEqualTo(once);
    assertThat(world(transfers).run(METHOD).traceHash()).isNotEqualTo(once);
    RadioTransfers fixed = transfers.withRate(Rate.FIXED);
    assertThat(SmallSimulation.of(PEERS, 4).withNetwork(walking(fixed)).run(METHOD).traceHash())
        .isNotEqualTo(once);
  }

  @Test
  void anAdaptedRateReachesPeersThatTheFixedOneDoesNot() {
    Channel strict = Channel.paperDefaults().withSinrThreshold(1e6);
    RadioTransfers transfers = transfers(3, 0.05, Combining.NONE, Interferers.ACTIVE);
    SmallSimulation.FinishedRun fixed =
        SmallSimulation.of(PEERS, 4).withNetwork(radio(strict, transfers)).run(METHOD);
    SmallSimulation.FinishedRun adapted =
        SmallSimulation.of(PEERS, 4)
            .withNetwork(radio(strict, transfers.withRate(Rate.ADAPTED)))
            .run(METHOD);
    assertThat(count(fixed, "link-lost")).isGreaterThan(20);
    assertThat(count(adapted, "link-lost")).isLessThan(5);
  }

  /** Interference, which a sender cannot know beforehand, teaches it to transmit more slowly. */
  @Test
  void aSenderLearnsFromFailuresAsManyAsItIsToldToAvoid() {
    RadioTransfers patient =
        transfers(1000, 0.00005, Combining.NONE, Interferers.SATURATED).withRate(Rate.ADAPTED);
    double careful = failedShare(world(patient.withFirstErrors(0.05)).run(METHOD));
    double careless = failedShare(world(patient.withFirstErrors(0.9)).run(METHOD));
    assertThat(careful).isLessThan(0.15);
    assertThat(careless).isGreaterThan(0.2);
  }

  private static double failedShare(SmallSimulation.FinishedRun run) {
    return count(run, "link-retries") / (double) count(run, "link-blocks");
  }
}
