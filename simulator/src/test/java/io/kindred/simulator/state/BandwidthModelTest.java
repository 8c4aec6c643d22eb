package io.kindred.simulator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.Segments;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.device.AlikeDevices;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.link.EvenLinks;
import io.kindred.environment.link.Link;
import io.kindred.environment.topology.Graph;
import org.junit.jupiter.api.Test;

/** Times computed by hand: 8 Mbps are a byte a microsecond, and a tick is a microsecond. */
class BandwidthModelTest {
  private static final long LATENCY = 20_000;
  private static final Link LINK = new Link(LATENCY, Double.POSITIVE_INFINITY, 0);

  @Named("test/word")
  record TestMessage() implements Message {}

  private static BandwidthModel roads(
      double mbps, double uplinkShare, double jitter, int segments) {
    Graph graph = new Graph.Builder(4).connect(0, 1).connect(1, 2).connect(2, 3).build();
    NetworkSettings network =
        new NetworkSettings(
            new AlikeDevices(1e9, mbps, uplinkShare, 4, 1),
            new EvenLinks(0.02, 0),
            jitter,
            0,
            new Segments(segments, 4),
            60,
            1);
    return new BandwidthModel(
        new SimulatedEnvironment(graph, network, new NoChurn(), Faults.NONE, new RandomStreams(1)),
        5);
  }

  private static Transfer model(int from, int to, long bytes) {
    return new Transfer(7, from, to, Component.METHOD, new TestMessage(), 0, bytes, 1, 0);
  }

  private static Transfer control(int from, int to, long bytes) {
    return new Transfer(7, from, to, Component.METHOD, new TestMessage(), bytes, 0, 0, 0);
  }

  private static long through(
      BandwidthModel bandwidthModel, Transfer transfer, Link link, long now) {
    BandwidthModel.ArrivalTimes arrivalTimes = bandwidthModel.departFromSender(transfer, link, now);
    return bandwidthModel.arriveAtReceiver(
        transfer, arrivalTimes.firstByteTick(), arrivalTimes.lastByteTick());
  }

  @Test
  void aModelTakesItsBytesAndTheLatency() {
    assertThat(through(roads(8, 1, 0, 1), model(0, 1, 1_000_000), LINK, 5))
        .isEqualTo(5 + 1_000_000 + LATENCY);
  }

  @Test
  void aSlowUplinkIsTheLimit() {
    assertThat(through(roads(8, 0.5, 0, 1), model(0, 1, 1_000_000), LINK, 0))
        .isEqualTo(2_000_000 + LATENCY);
  }

  @Test
  void aSlowLinkIsTheLimitButLeavesTheUplinkToOthers() {
    BandwidthModel bandwidthModel = roads(8, 1, 0, 1);
    Link slow = new Link(LATENCY, 250_000, 0);
    assertThat(through(bandwidthModel, model(0, 1, 1_000_000), slow, 0))
        .isEqualTo(4_000_000 + LATENCY);
    assertThat(through(bandwidthModel, model(0, 2, 1_000_000), LINK, 0))
        .isEqualTo(2_000_000 + LATENCY);
  }

  @Test
  void modelsOfOneSenderGoOneAfterTheOther() {
    BandwidthModel bandwidthModel = roads(8, 1, 0, 1);
    for (int i = 1; i <= 3; i++) {
      assertThat(through(bandwidthModel, model(0, i, 1_000_000), LINK, 0))
          .isEqualTo(i * 1_000_000L + LATENCY);
    }
  }

  @Test
  void modelsForOneReceiverComeInOneAfterTheOther() {
    BandwidthModel bandwidthModel = roads(8, 1, 0, 1);
    for (int i = 1; i <= 3; i++) {
      assertThat(through(bandwidthModel, model(i, 0, 1_000_000), LINK, 0))
          .isEqualTo(i * 1_000_000L + LATENCY);
    }
  }

  @Test
  void manySlowSendersFillAFastDownlinkTogether() {
    // Uplinks of half the downlink: two transfers at a time do not slow each other down.
    BandwidthModel bandwidthModel = roads(8, 0.5, 0, 1);
    assertThat(through(bandwidthModel, model(1, 0, 1_000_000), LINK, 0))
        .isEqualTo(2_000_000 + LATENCY);
    assertThat(through(bandwidthModel, model(2, 0, 1_000_000), LINK, 0))
        .isEqualTo(2_000_000 + LATENCY);
    assertThat(through(bandwidthModel, model(3, 0, 1_000_000), LINK, 0))
        .isEqualTo(3_000_000 + LATENCY);
  }

  @Test
  void aControlMessageDoesNotWaitBehindAModelButTakesItsShare() {
    BandwidthModel bandwidthModel = roads(8, 1, 0, 1);
    bandwidthModel.departFromSender(model(0, 1, 1_000_000), LINK, 0);
    assertThat(bandwidthModel.controlArrival(control(0, 1, 100), LINK, 0)).isEqualTo(LATENCY + 200);
    assertThat(bandwidthModel.departFromSender(model(0, 2, 1_000_000), LINK, 0).firstByteTick())
        .isEqualTo(1_000_000 + 100 + LATENCY);
  }

  @Test
  void jitterStretchesATransferByUpToItsShare() {
    BandwidthModel bandwidthModel = roads(8, 1, 0.05, 1);
    long time = through(bandwidthModel, model(0, 1, 1_000_000), LINK, 0) - LATENCY;
    assertThat(time).isBetween(1_000_001L, 1_050_000L);
  }

  @Test
  void theRelayOfTwoSegmentsIsSharedAndTakesItsTime() {
    // Peers 0 and 1 are in one segment, 2 and 3 in the other; the relay forwards half a byte a
    // tick.
    BandwidthModel bandwidthModel = roads(8, 1, 0, 2);
    assertThat(bandwidthModel.viaRelay(model(0, 1, 1))).isFalse();
    assertThat(bandwidthModel.viaRelay(model(0, 4, 1)))
        .as("a server is reached directly")
        .isFalse();
    long first = relayed(bandwidthModel, model(0, 2, 1_000_000));
    long second = relayed(bandwidthModel, model(1, 3, 1_000_000));
    assertThat(first).isEqualTo(2_000_000 + 2 * LATENCY);
    assertThat(second).isEqualTo(4_000_000 + 2 * LATENCY);
    assertThat(bandwidthModel.controlArrival(control(0, 2, 100), LINK, 0))
        .isEqualTo(200 + 200 + 2 * LATENCY);
  }

  private static long relayed(BandwidthModel bandwidthModel, Transfer transfer) {
    assertThat(bandwidthModel.viaRelay(transfer)).isTrue();
    BandwidthModel.ArrivalTimes up = bandwidthModel.departFromSender(transfer, LINK, 0);
    BandwidthModel.ArrivalTimes on =
        bandwidthModel.relay(transfer, LINK, up.firstByteTick(), up.lastByteTick());
    return bandwidthModel.arriveAtReceiver(transfer, on.firstByteTick(), on.lastByteTick());
  }

  @Test
  void whatIsReservedSurvivesACut() {
    BandwidthModel bandwidthModel = roads(8, 1, 0, 2);
    bandwidthModel.departFromSender(model(0, 1, 1_000), LINK, 0);
    bandwidthModel.arriveAtReceiver(model(2, 3, 2_000), 0, 0);
    bandwidthModel.relay(model(0, 2, 3_000), LINK, 0, 0);
    BandwidthModel.Snapshot snapshot = bandwidthModel.snapshot();
    assertThat(snapshot.uplinks().getFirst()).isEqualTo(1_000);
    assertThat(snapshot.downlinks().get(3)).isEqualTo(2_000);
    assertThat(snapshot.relay()).isEqualTo(6_000);
  }
}
