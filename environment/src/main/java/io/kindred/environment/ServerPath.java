package io.kindred.environment;

import io.kindred.core.config.Setting;
import io.kindred.environment.device.Device;

/**
 * The path between the server and the network, such as its Internet access or the backhaul of a
 * cell: messages of all peers queue for it.
 */
public record ServerPath(
    @Setting(
            doc = "megabits a second from the peers to the server, for all peers together",
            above = 0)
        double uplinkMbps,
    @Setting(
            doc = "megabits a second from the server to the peers, for all peers together",
            above = 0)
        double downlinkMbps) {
  /** The server receives what peers send up the path, and sends down the path. */
  Device limit(Device server) {
    return server.withBandwidth(downlinkMbps, uplinkMbps);
  }
}
