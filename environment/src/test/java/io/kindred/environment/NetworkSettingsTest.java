package io.kindred.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.device.AlikeDevices;
import io.kindred.environment.device.ClassedDevices;
import io.kindred.environment.device.Device;
import io.kindred.environment.device.RangedDevices;
import io.kindred.environment.device.VariedDevices;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.link.EvenLinks;
import io.kindred.environment.link.Link;
import io.kindred.environment.link.VariedLinks;
import io.kindred.environment.topology.Complete;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NetworkSettingsTest {
  private static final RandomStreams STREAMS = new RandomStreams(5);

  private static VariedLinks links(boolean asymmetric, boolean redraw) {
    return new VariedLinks(0.01, 0.05, 1, 8, 0.1, asymmetric, redraw);
  }

  @Test
  void nothingTakesNoTime() {
    Device device = new AlikeDevices(1e9, 8, 0.5, 4, 1).server();
    assertThat(device.computeTicks(3e9)).isEqualTo(3_000_000);
    assertThat(device.computeTicks(0)).isEqualTo(1);
    assertThat(device.downlink()).isEqualTo(1e6);
    assertThat(device.uplink()).isEqualTo(5e5);
    assertThat(new EvenLinks(1e-12, 0).between(0, 1, 0, STREAMS).latencyTicks()).isEqualTo(1);
  }

  @Test
  void variedDevicesHaveTheTypicalOneAsMedianAndStragglersBelow() {
    VariedDevices devices = new VariedDevices(1e9, 100, 1, 4, 1, 0.5, 0, 5);
    double[] speeds =
        IntStream.range(0, 4_001)
            .mapToDouble(peer -> devices.of(peer, STREAMS).operationsPerSecond())
            .sorted()
            .toArray();
    assertThat(speeds[2_000]).isCloseTo(1e9, within(5e7));
    // A standard deviation below: 15.87 % of the draws.
    assertThat(speeds[635]).isCloseTo(1e9 * Math.exp(-0.5), within(5e7));
    VariedDevices some = new VariedDevices(1e9, 100, 1, 4, 1, 0, 0.25, 5);
    long slow =
        IntStream.range(0, 4_000)
            .filter(peer -> some.of(peer, STREAMS).operationsPerSecond() < 3e8)
            .count();
    assertThat(slow).isBetween(920L, 1_080L);
    assertThat(some.server().operationsPerSecond()).isEqualTo(1e9);
  }

  @Test
  void kindsOfMachinesGetTheirShares() {
    ClassedDevices devices =
        new ClassedDevices(
            List.of(
                new ClassedDevices.Kind(3, 1e9, 10, 20, 4, 1),
                new ClassedDevices.Kind(1, 2e9, 10, 20, 8, 0.5)));
    double[] memory =
        IntStream.range(0, 4_000)
            .mapToDouble(peer -> devices.of(peer, STREAMS).memoryBytes())
            .toArray();
    assertThat(Arrays.stream(memory).filter(bytes -> bytes == 8e9).count()).isBetween(900L, 1_100L);
    assertThatThrownBy(() -> new ClassedDevices(List.of())).isInstanceOf(SettingException.class);
  }

  @Test
  void linksAreTheSameBothWaysUnlessAsked() {
    Link there = links(false, true).between(3, 8, 2, STREAMS);
    assertThat(links(false, true).between(8, 3, 2, STREAMS)).isEqualTo(there);
    assertThat(links(true, true).between(8, 3, 2, STREAMS))
        .isNotEqualTo(links(true, true).between(3, 8, 2, STREAMS));
    assertThat(there.latencyTicks()).isBetween(10_000L, 50_000L);
    assertThat(there.bytesPerSecond()).isBetween(125_000.0, 1_000_000.0);
    assertThat(there.loss()).isBetween(0.0, 0.1);
  }

  @Test
  void someLinksAreDownAndLetNothingThrough() {
    VariedLinks some = new VariedLinks(0.01, 0.05, 1, 8, 0.1, 0.25, false, true);
    int down = 0;
    for (int peer = 1; peer <= 1000; peer++) {
      Link link = some.between(0, peer, 3, STREAMS);
      assertThat(some.between(peer, 0, 3, STREAMS)).isEqualTo(link);
      if (link.bytesPerSecond() == 0) {
        down++;
        assertThat(link.loss()).isEqualTo(1);
      } else {
        // A link that is up equals the link of a model in which no link is ever down.
        assertThat(link).isEqualTo(links(false, true).between(0, peer, 3, STREAMS));
      }
    }
    assertThat(down).isBetween(200, 300);
    Link nothing = new VariedLinks(0.01, 0.05, 0, 0, 0, false, true).between(0, 1, 1, STREAMS);
    assertThat(nothing.loss()).isEqualTo(1);
  }

  @Test
  void speedsAreRedrawnWithinTheirRange() {
    RangedDevices devices = new RangedDevices(5e8, 15e8, 100, 4, true);
    double sum = 0;
    for (int round = 0; round < 1000; round++) {
      double speed =
          devices.speed(3, round, STREAMS) * devices.of(3, STREAMS).operationsPerSecond();
      assertThat(speed).isBetween(5e8, 15e8);
      sum += speed;
    }
    assertThat(sum / 1000).isBetween(9.5e8, 10.5e8);
    assertThat(devices.varyOverTime()).isTrue();
    RangedDevices fixed = new RangedDevices(5e8, 15e8, 100, 4, false);
    assertThat(fixed.speed(3, 1, STREAMS)).isEqualTo(fixed.speed(3, 2, STREAMS));
    assertThat(fixed.speed(3, 1, STREAMS)).isNotEqualTo(fixed.speed(4, 1, STREAMS));
  }

  @Test
  void wayToAServerMayBeAnother() {
    NetworkSettings network =
        new NetworkSettings(
            new AlikeDevices(1e9, 100, 1, 4, 1),
            links(false, true),
            Optional.of(new EvenLinks(0.5, 0)),
            Optional.of(new ServerPath(2, 8)),
            0,
            0,
            new Segments(1, 1000),
            5,
            0.5);
    SimulatedEnvironment environment =
        new SimulatedEnvironment(
            new Complete().connect(3, STREAMS.stream(Purpose.TOPOLOGY, 0, 0)),
            network,
            new NoChurn(),
            Faults.NONE,
            STREAMS);

    // Two megabits a second up to the server, which receives them; eight down from it.
    assertThat(environment.device(3).downlink()).isEqualTo(250_000);
    assertThat(environment.device(3).uplink()).isEqualTo(1_000_000);
    assertThat(environment.device(2).downlink()).isEqualTo(12_500_000);
    assertThat(environment.link(0, 3, 1).latencyTicks()).isEqualTo(500_000);
    assertThat(environment.link(3, 1, 1).latencyTicks()).isEqualTo(500_000);
    assertThat(environment.link(0, 1, 1)).isEqualTo(links(false, true).between(0, 1, 1, STREAMS));
  }

  @Test
  void linksAreRedrawnWhereAsked() {
    assertThat(links(false, true).between(3, 8, 1, STREAMS))
        .isNotEqualTo(links(false, true).between(3, 8, 2, STREAMS));
    assertThat(links(false, false).between(3, 8, 1, STREAMS))
        .isEqualTo(links(false, false).between(3, 8, 2, STREAMS));
  }

  @Test
  void rangesTheWrongWayRoundAreRefused() {
    assertThatThrownBy(() -> new VariedLinks(0.2, 0.1, 1, 2, 0, false, true))
        .isInstanceOf(SettingException.class);
    assertThatThrownBy(() -> new VariedLinks(0.1, 0.2, 3, 2, 0, false, true))
        .isInstanceOf(SettingException.class);
  }

  @Test
  void segmentsAreAsLargeAsCanBeAndAServerIsInNone() {
    Segments segments = new Segments(3, 100);
    assertThat(segments.needRelay(0, 3, 10)).isFalse();
    assertThat(segments.needRelay(3, 4, 10)).isTrue();
    assertThat(segments.needRelay(6, 7, 10)).isTrue();
    assertThat(segments.needRelay(0, 10, 10)).as("to the server").isFalse();
    assertThat(new Segments(1, 100).needRelay(0, 9, 10)).isFalse();
  }
}
