package io.kindred.environment;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.environment.device.DeviceModel;
import io.kindred.environment.link.LinkModel;
import io.kindred.environment.link.RadioLinks;
import java.util.Optional;

/** Settings of the network between peers and of the devices that they run on. */
@Buildable
public record NetworkSettings(
    @Setting(doc = "what each peer runs on", fallback = "alike") DeviceModel devices,
    @Setting(doc = "how the way between two peers is", fallback = "even") LinkModel links,
    @Setting(doc = "how the way to a server is; without it, as between peers")
        Optional<LinkModel> serverLinks,
    @Setting(
            doc = "a transfer takes up to this share longer, drawn for each",
            fallback = "0.05",
            min = 0,
            max = 10)
        double jitter,
    @Setting(
            doc = "probability that an edge gives way to one elsewhere, in a turn of the world",
            fallback = "0",
            min = 0,
            max = 1)
        double rewire,
    @Setting(doc = "parts that cannot reach each other", fallback = "{}") Segments segments,
    @Setting(
            doc = "seconds between two turns of the world: churn, new links, new neighbours",
            fallback = "60",
            above = 0)
        double roundSeconds,
    @Setting(
            doc =
                "seconds until a peer is told that a message did not arrive or a neighbour is gone",
            fallback = "1",
            above = 0)
        double noticeSeconds) {
  public NetworkSettings {
    if (serverLinks.isPresent() && serverLinks.get() instanceof RadioLinks) {
      throw new SettingException(
          "network.serverLinks",
          "a server has no place in the square of radio links",
          "leave it out, which connects the server by wire, or choose even or varied links");
    }
  }

  /** The same links for all participants, a server included. */
  public NetworkSettings(
      DeviceModel devices,
      LinkModel links,
      double jitter,
      double rewire,
      Segments segments,
      double roundSeconds,
      double noticeSeconds) {
    this(devices, links, Optional.empty(), jitter, rewire, segments, roundSeconds, noticeSeconds);
  }

  /** The same network for this number of peers. */
  NetworkSettings forPeers(int peers, RandomStreams streams) {
    return NetworkSettingsBuilder.from(this).links(links.forPeers(peers, streams)).build();
  }

  /** The links between a server and the peers. */
  LinkModel linksToServer() {
    return serverLinks.orElse(links);
  }

  /** Whether links differ from one environment round to the next. */
  public boolean linksVary() {
    return links.varyOverTime() || linksToServer().varyOverTime();
  }

  /** Whether links, devices or neighbourhoods differ from one environment round to the next. */
  public boolean variesOverTime() {
    return linksVary() || devices.varyOverTime() || rewire > 0;
  }

  public long roundTicks() {
    return Math.max(1, Ticks.ofSeconds(roundSeconds));
  }

  public long noticeTicks() {
    return Math.max(1, Ticks.ofSeconds(noticeSeconds));
  }
}
