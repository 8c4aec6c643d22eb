package io.kindred.environment;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.environment.device.Device;
import io.kindred.environment.device.DeviceModel;
import io.kindred.environment.link.LinkModel;
import io.kindred.environment.link.RadioLinks;
import io.kindred.environment.link.TracedLinks;
import java.util.Optional;

/** Settings of the network between peers and of the devices that they run on. */
@Buildable
public record NetworkSettings(
    @Setting(doc = "device that each peer runs on", fallback = "alike") DeviceModel devices,
    @Setting(doc = "links between two peers", fallback = "even") LinkModel links,
    @Setting(doc = "links between a peer and the server; left out, the same as between peers")
        Optional<LinkModel> serverLinks,
    @Setting(
            doc =
                "bandwidth of the server's path, which all peers share; left out, that of the"
                    + " server's device")
        Optional<ServerPath> serverPath,
    @Setting(
            doc = "largest share by which a transfer takes longer, drawn for each transfer",
            fallback = "0.05",
            min = 0,
            max = 10)
        double jitter,
    @Setting(
            doc =
                "probability that an edge is replaced by an edge elsewhere, in each environment"
                    + " round",
            fallback = "0",
            min = 0,
            max = 1)
        double rewire,
    @Setting(
            doc = "segments of the network that reach each other over a relay only",
            fallback = "{}")
        Segments segments,
    @Setting(
            doc =
                "seconds of an environment round; churn, links and neighbours change between"
                    + " rounds",
            fallback = "60",
            above = 0)
        double roundSeconds,
    @Setting(
            doc =
                "seconds until a peer learns that a message was not delivered or that a"
                    + " neighbour left",
            fallback = "1",
            above = 0)
        double noticeSeconds) {
  public NetworkSettings {
    if (serverLinks.isPresent() && serverLinks.get() instanceof RadioLinks) {
      throw noServerLink(
          "radio links connect peers at positions in a square, and a server has no" + " position");
    }
    if (serverLinks.isPresent() && serverLinks.get() instanceof TracedLinks) {
      throw noServerLink("a trace lists links between peers");
    }
  }

  private static SettingException noServerLink(String problem) {
    return new SettingException(
        "network.serverLinks",
        problem,
        "leave serverLinks out, which connects the server by wire, or choose even or"
            + " varied links");
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
    this(
        devices,
        links,
        Optional.empty(),
        Optional.empty(),
        jitter,
        rewire,
        segments,
        roundSeconds,
        noticeSeconds);
  }

  /** The same network with its files read; invalid contents are refused. */
  public NetworkSettings read(int peers, TextFiles files) {
    return NetworkSettingsBuilder.from(this).links(links.read(peers, files)).build();
  }

  /** The same network for this number of peers. */
  NetworkSettings forPeers(int peers, RandomStreams streams) {
    return NetworkSettingsBuilder.from(this)
        .links(links.forPeers(peers, roundSeconds, streams))
        .build();
  }

  /** The device of the server, behind its path. */
  Device serverDevice() {
    Device server = devices.server();
    return serverPath.map(path -> path.limit(server)).orElse(server);
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
