package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.environment.NetworkSettings;
import io.kindred.environment.Segments;
import io.kindred.environment.device.ClassedDevices;
import io.kindred.environment.device.ClassedDevices.Kind;
import io.kindred.environment.link.EvenLinks;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.contract.PeerFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The overlay ranks replicas by the capacity that a peer's device has. */
class DeviceCapacityTest {
  @Test
  void aPeersCapacityIsTheRateAtWhichItsDeviceCanServe() {
    NetworkSettings network =
        new NetworkSettings(
            new ClassedDevices(
                List.of(new Kind(1, 1e9, 8, 100, 4, 0.5), new Kind(1, 1e9, 80, 100, 4, 1))),
            new EvenLinks(0.02, 0),
            0.05,
            0,
            new Segments(1, 1000),
            5,
            0.5);
    PeerFactory factory =
        SmallSimulation.of(12, 1).withNetwork(network).builder(new Local()).peerFactory();
    // 8 Mbps are 1,000,000 bytes a second, half of the time.
    assertThat(factory.capacities()).hasSize(12).containsOnly(5e5, 1e7);
  }
}
