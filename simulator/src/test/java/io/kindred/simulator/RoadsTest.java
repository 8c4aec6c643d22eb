package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Named;
import io.kindred.world.AlikeDevices;
import io.kindred.world.EvenLinks;
import io.kindred.world.Faults;
import io.kindred.world.Graph;
import io.kindred.world.Link;
import io.kindred.world.Network;
import io.kindred.world.NoChurn;
import io.kindred.world.Segments;
import io.kindred.world.World;
import org.junit.jupiter.api.Test;

/** Times computed by hand: 8 Mbps are a byte a microsecond, and a tick is a microsecond. */
class RoadsTest {
  private static final long LATENCY = 20_000;
  private static final Link LINK = new Link(LATENCY, Double.POSITIVE_INFINITY, 0);

  @Named("test/word")
  record Word() implements Message {}

  private static Roads roads(double mbps, double uplinkShare, double jitter, int segments) {
    Graph graph = new Graph.Builder(4).connect(0, 1).connect(1, 2).connect(2, 3).build();
    Network network =
        new Network(
            new AlikeDevices(1e9, mbps, uplinkShare, 4, 1),
            new EvenLinks(0.02, 0),
            jitter,
            0,
            new Segments(segments, 4),
            60,
            1);
    return new Roads(
        new World(graph, network, new NoChurn(), Faults.NONE, new RandomStreams(1)), 5);
  }

  private static Transfer model(int from, int to, long bytes) {
    return new Transfer(7, from, to, Component.METHOD, new Word(), 0, bytes, 1, 0, 1);
  }

  private static Transfer control(int from, int to, long bytes) {
    return new Transfer(7, from, to, Component.METHOD, new Word(), bytes, 0, 0, 0, 1);
  }

  private static long through(Roads roads, Transfer transfer, Link link, long now) {
    Roads.Passage passage = roads.depart(transfer, link, now);
    return roads.arrive(transfer, passage.firstBit(), passage.lastBit());
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
    Roads roads = roads(8, 1, 0, 1);
    Link slow = new Link(LATENCY, 250_000, 0);
    assertThat(through(roads, model(0, 1, 1_000_000), slow, 0)).isEqualTo(4_000_000 + LATENCY);
    assertThat(through(roads, model(0, 2, 1_000_000), LINK, 0)).isEqualTo(2_000_000 + LATENCY);
  }

  @Test
  void modelsOfOneSenderGoOneAfterTheOther() {
    Roads roads = roads(8, 1, 0, 1);
    for (int i = 1; i <= 3; i++) {
      assertThat(through(roads, model(0, i, 1_000_000), LINK, 0))
          .isEqualTo(i * 1_000_000L + LATENCY);
    }
  }

  @Test
  void modelsForOneReceiverComeInOneAfterTheOther() {
    Roads roads = roads(8, 1, 0, 1);
    for (int i = 1; i <= 3; i++) {
      assertThat(through(roads, model(i, 0, 1_000_000), LINK, 0))
          .isEqualTo(i * 1_000_000L + LATENCY);
    }
  }

  @Test
  void manySlowSendersFillAFastDownlinkTogether() {
    // Uplinks of half the downlink: two at a time get through as if they were alone.
    Roads roads = roads(8, 0.5, 0, 1);
    assertThat(through(roads, model(1, 0, 1_000_000), LINK, 0)).isEqualTo(2_000_000 + LATENCY);
    assertThat(through(roads, model(2, 0, 1_000_000), LINK, 0)).isEqualTo(2_000_000 + LATENCY);
    assertThat(through(roads, model(3, 0, 1_000_000), LINK, 0)).isEqualTo(3_000_000 + LATENCY);
  }

  @Test
  void aControlMessageDoesNotWaitBehindAModelButTakesItsShare() {
    Roads roads = roads(8, 1, 0, 1);
    roads.depart(model(0, 1, 1_000_000), LINK, 0);
    assertThat(roads.controlArrival(control(0, 1, 100), LINK, 0)).isEqualTo(LATENCY + 200);
    assertThat(roads.depart(model(0, 2, 1_000_000), LINK, 0).firstBit())
        .isEqualTo(1_000_000 + 100 + LATENCY);
  }

  @Test
  void jitterStretchesATransferByUpToItsShare() {
    Roads roads = roads(8, 1, 0.05, 1);
    long time = through(roads, model(0, 1, 1_000_000), LINK, 0) - LATENCY;
    assertThat(time).isBetween(1_000_001L, 1_050_000L);
  }

  @Test
  void theRelayOfTwoSegmentsIsSharedAndTakesItsTime() {
    // Peers 0 and 1 here, 2 and 3 there; the relay passes half a byte a tick.
    Roads roads = roads(8, 1, 0, 2);
    assertThat(roads.viaRelay(model(0, 1, 1))).isFalse();
    assertThat(roads.viaRelay(model(0, 4, 1))).as("a server is reached directly").isFalse();
    long first = relayed(roads, model(0, 2, 1_000_000));
    long second = relayed(roads, model(1, 3, 1_000_000));
    assertThat(first).isEqualTo(2_000_000 + 2 * LATENCY);
    assertThat(second).isEqualTo(4_000_000 + 2 * LATENCY);
    assertThat(roads.controlArrival(control(0, 2, 100), LINK, 0))
        .isEqualTo(200 + 200 + 2 * LATENCY);
  }

  private static long relayed(Roads roads, Transfer transfer) {
    assertThat(roads.viaRelay(transfer)).isTrue();
    Roads.Passage up = roads.depart(transfer, LINK, 0);
    Roads.Passage on = roads.relay(transfer, LINK, up.firstBit(), up.lastBit());
    return roads.arrive(transfer, on.firstBit(), on.lastBit());
  }

  @Test
  void whatIsReservedSurvivesACut() {
    Roads roads = roads(8, 1, 0, 2);
    roads.depart(model(0, 1, 1_000), LINK, 0);
    roads.arrive(model(2, 3, 2_000), 0, 0);
    roads.relay(model(0, 2, 3_000), LINK, 0, 0);
    Roads.Snapshot snapshot = roads.snapshot();
    assertThat(snapshot.uplinks().getFirst()).isEqualTo(1_000);
    assertThat(snapshot.downlinks().get(3)).isEqualTo(2_000);
    assertThat(snapshot.relay()).isEqualTo(6_000);
  }
}
