package io.kindred.world;

import io.kindred.core.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Setting;
import java.util.Optional;

/** What lies between peers and what they run on. */
public record Network(
    @Setting(doc = "what each peer runs on", fallback = "alike") Devices devices,
    @Setting(doc = "how the way between two peers is", fallback = "even") Links links,
    @Setting(doc = "how the way to a server is; without it, as between peers")
        Optional<Links> serverLinks,
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
  public Network {
    if (serverLinks.isPresent() && serverLinks.get() instanceof RadioLinks) {
      throw new Complaint(
          "network.serverLinks",
          "a server has no place in the square of radio links",
          "leave it out, which connects the server by wire, or choose even or varied links");
    }
  }

  /** The same ways for everybody, a server included. */
  public Network(
      Devices devices,
      Links links,
      double jitter,
      double rewire,
      Segments segments,
      double roundSeconds,
      double noticeSeconds) {
    this(devices, links, Optional.empty(), jitter, rewire, segments, roundSeconds, noticeSeconds);
  }

  /** The same network among so many peers. */
  Network among(int peers, RandomStreams streams) {
    return new Network(
        devices,
        links.among(peers, streams),
        serverLinks,
        jitter,
        rewire,
        segments,
        roundSeconds,
        noticeSeconds);
  }

  /** The links that a server has. */
  Links toServer() {
    return serverLinks.orElse(links);
  }

  /** Whether links differ from one turn of the world to the next. */
  public boolean linksChange() {
    return links.change() || toServer().change();
  }

  /** Whether links, devices or neighbourhoods differ from one turn of the world to the next. */
  public boolean changes() {
    return linksChange() || devices.change() || rewire > 0;
  }

  public long roundTicks() {
    return Math.max(1, Ticks.ofSeconds(roundSeconds));
  }

  public long noticeTicks() {
    return Math.max(1, Ticks.ofSeconds(noticeSeconds));
  }
}
