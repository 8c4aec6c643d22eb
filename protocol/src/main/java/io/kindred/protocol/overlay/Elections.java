package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.overlay.OverlayMessage.Moved;
import io.kindred.protocol.overlay.OverlayMessage.OfLevel;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;
import io.kindred.protocol.overlay.Vertex.Ballot;
import io.kindred.protocol.overlay.Vertex.Envelope;
import io.kindred.protocol.overlay.Vertex.Offer;
import io.kindred.protocol.overlay.Vertex.Phase;
import io.kindred.protocol.overlay.Vertex.Residence;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Who starts a zone (SemanticDFL, algorithm 2): the peer with the lowest score within R hops. A
 * score goes no further than where a lower one went already, so the minimum is exact and most
 * scores travel one hop.
 */
final class Elections {
  static final String ALARM = "overlay-elect";

  /** How often a vertex waits a wave longer for those it is linked to. */
  private static final int MOST_WAITS = 8;

  /** Messages kept for a level that has not begun: a few of each zone nearby, of hundreds. */
  static final int MOST_EARLY = 8192;

  private final Turn turn;

  Elections(Turn turn) {
    this.turn = turn;
  }

  void begin(int level, List<PeerId> peers) {
    Vertex early = turn.vertex(level);
    SortedSet<PeerId> links = new TreeSet<>(capped(level, peers));
    if (level > 1) {
      early.early().forEach(each -> links.add(each.from()));
    }
    turn.put(early.begin(List.copyOf(links)));
    Vertex vertex = turn.vertex(level);
    if (vertex.links().isEmpty()) {
      new Zones(turn).initiate(level);
    } else {
      Offer own = new Offer(turn.drawn().score(), turn.settings.radius());
      turn.put(vertex.with(new Ballot(List.of(own), List.of(), 0)));
      vertex.links().forEach(link -> offerOwn(level, link));
      turn.levelAlarm(ALARM, level, turn.settings.waveTicks());
    }
    for (Envelope each : early.early()) {
      Overlay.receive(turn, each.from(), each.message());
    }
  }

  private void offerOwn(int level, PeerId to) {
    Score.Drawn drawn = turn.drawn();
    turn.send(
        to,
        new ScoreOffer(
            turn.epoch(), level, turn.self(), drawn.proof(), turn.settings.radius() - 1));
  }

  /**
   * At most so many links. Both ends of an edge rank it alike, so that one which is cut at one end
   * is rarely kept at the other.
   */
  private List<PeerId> capped(int level, List<PeerId> peers) {
    record Ranked(PeerId peer, Digest rank) {}
    List<Ranked> ranked = new ArrayList<>();
    for (PeerId peer : peers) {
      long low = Math.min(peer.number(), turn.self().number());
      long high = Math.max(peer.number(), turn.self().number());
      byte[] edge =
          ByteBuffer.allocate(Digest.BYTES + 2 * Long.BYTES + Integer.BYTES)
              .put(turn.era().before().seed().bytes())
              .putLong(low)
              .putLong(high)
              .putInt(level)
              .array();
      ranked.add(new Ranked(peer, Digest.of(edge)));
    }
    ranked.sort(Comparator.comparing(Ranked::rank).thenComparing(Ranked::peer));
    return ranked.stream().limit(turn.settings.links()).map(Ranked::peer).sorted().toList();
  }

  /**
   * Those who lead a zone below take part in time; whoever speaks to one whose zone is no more
   * learns where it went.
   */
  void tooEarly(PeerId from, OfLevel message) {
    int below = message.level() - 1;
    Adjacent went = turn.moved(below);
    if (went == null && early() >= MOST_EARLY) {
      turn.count("overlay-too-early");
    } else if (went == null) {
      turn.put(turn.vertex(message.level()).keep(new Envelope(from, message)));
      new Leads(turn).uncrown(below);
    } else {
      turn.send(from, new Moved(new ZoneId(turn.epoch(), below, turn.self()), went));
    }
  }

  /** What it keeps for later, on all levels. */
  private int early() {
    return turn.era().formation().vertices().values().stream()
        .mapToInt(each -> each.early().size())
        .sum();
  }

  /** Another vertex turned out to be near. */
  void link(int level, PeerId peer) {
    Vertex vertex = turn.vertex(level);
    if (!vertex.begun() || peer.equals(turn.self()) || vertex.links().contains(peer)) {
      return;
    }
    turn.put(vertex.with(Rows.with(vertex.links(), peer)));
    offerOwn(level, peer);
    new Zones(turn).announceTo(level, peer);
  }

  void hear(PeerId from, ScoreOffer offer) {
    if (offer.epoch() != turn.epoch()) {
      turn.count("overlay-other-epoch");
      return;
    }
    Optional<Score> checked = turn.check(offer.peer(), offer.proof());
    if (checked.isEmpty()) {
      return;
    }
    int level = offer.level();
    if (level > 1) {
      link(level, from);
    }
    Vertex vertex = turn.vertex(level);
    Ballot ballot = vertex.ballot();
    List<PeerId> heard =
        ballot.heard().contains(from) ? ballot.heard() : Rows.with(ballot.heard(), from);
    Offer fresh = new Offer(checked.get(), offer.hopsLeft());
    if (ballot.offers().stream().anyMatch(known -> known.outdoes(fresh))) {
      turn.put(vertex.with(new Ballot(ballot.offers(), heard, ballot.waits())));
      return;
    }
    List<Offer> offers = new ArrayList<>(ballot.offers());
    offers.removeIf(fresh::outdoes);
    offers.add(fresh);
    turn.put(vertex.with(new Ballot(List.copyOf(offers), heard, ballot.waits())));
    if (offer.hopsLeft() > 0) {
      ScoreOffer further =
          new ScoreOffer(offer.epoch(), level, offer.peer(), offer.proof(), offer.hopsLeft() - 1);
      vertex.links().stream()
          .filter(link -> !link.equals(from) && !link.equals(offer.peer()))
          .forEach(link -> turn.send(link, further));
    }
  }

  void decide(int level) {
    Vertex vertex = turn.vertex(level);
    if (vertex.residence().phase() != Phase.ELECTING) {
      return;
    }
    Ballot ballot = vertex.ballot();
    // Above the lowest level some begin later than others.
    if (level > 1 && ballot.waits() < MOST_WAITS && !ballot.heard().containsAll(vertex.links())) {
      turn.put(vertex.with(new Ballot(ballot.offers(), ballot.heard(), ballot.waits() + 1)));
      turn.levelAlarm(ALARM, level, turn.settings.waveTicks());
      return;
    }
    Score own = turn.drawn().score();
    if (ballot.offers().stream().allMatch(each -> own.compareTo(each.score()) <= 0)) {
      new Zones(turn).initiate(level);
    } else {
      turn.put(vertex.with(new Residence(Phase.WAITING, Optional.empty(), 0, List.of())));
      turn.levelAlarm(Zones.UNREACHED, level, 2 * turn.settings.waveTicks());
    }
  }
}
