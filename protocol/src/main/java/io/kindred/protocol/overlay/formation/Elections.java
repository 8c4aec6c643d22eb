package io.kindred.protocol.overlay.formation;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;
import io.kindred.protocol.overlay.OverlayMessage.ZoneMerged;
import io.kindred.protocol.overlay.OverlayTimer.FormationTimer;
import io.kindred.protocol.overlay.ScoreOfferBuilder;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.overlay.formation.LevelState.EarlyMessage;
import io.kindred.protocol.overlay.formation.LevelState.ElectionState;
import io.kindred.protocol.overlay.formation.LevelState.KnownScore;
import io.kindred.protocol.overlay.formation.LevelState.Phase;
import io.kindred.protocol.overlay.formation.LevelState.ZoneAssignment;
import io.kindred.protocol.vrf.ElectionScore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Elects the initiators of zones (SemanticDFL, algorithm 2): the peer with the lowest score within
 * R hops starts a zone. A peer does not forward a score where a lower score has been forwarded
 * already, so the minimum is exact and most scores travel one hop.
 */
final class Elections {

  /** Extra waves that a peer waits for the scores of its links before it decides. */
  private static final int MAX_EXTRA_WAVES = 8;

  private final FormationStep step;

  Elections(FormationStep step) {
    this.step = step;
  }

  void start(int level, List<PeerId> peers) {
    LevelState early = step.levelState(level);
    SortedSet<PeerId> links = new TreeSet<>(selectLinks(level, peers));
    if (level > 1) {
      early.earlyMessages().forEach(each -> links.add(each.from()));
    }
    step.put(early.start(List.copyOf(links)));
    LevelState levelState = step.levelState(level);
    if (levelState.links().isEmpty()) {
      step.handle(new FormationEvent.InitiatorElected(level));
    } else {
      KnownScore own = new KnownScore(step.ownScore().score(), step.settings().radius());
      step.put(levelState.with(new ElectionState(List.of(own), List.of(), 0)));
      levelState.links().forEach(link -> sendOwnScore(level, link));
      step.setLevelTimer(FormationTimer.DECIDE_ELECTION, level, step.settings().waveTicks());
    }
    for (EarlyMessage each : early.earlyMessages()) {
      step.raise(new OverlayEvent.MessageDue(each.from(), each.message()));
    }
  }

  private void sendOwnScore(int level, PeerId to) {
    ElectionScore.ProvenScore provenScore = step.ownScore();
    step.send(
        to,
        new ScoreOffer(
            step.epoch(), level, step.self(), provenScore.proof(), step.settings().radius() - 1));
  }

  /**
   * Limits the links to the configured number. Both ends of an edge compute the same rank for it,
   * so a link that one end drops is rarely kept by the other end.
   */
  private List<PeerId> selectLinks(int level, List<PeerId> peers) {
    record Ranked(PeerId peer, Digest rank) {}
    List<Ranked> ranked = new ArrayList<>();
    for (PeerId peer : peers) {
      long low = Math.min(peer.number(), step.self().number());
      long high = Math.max(peer.number(), step.self().number());
      byte[] edge =
          ByteBuffer.allocate(Digest.BYTES + 2 * Long.BYTES + Integer.BYTES)
              .put(step.view().previousEpoch().seed().bytes())
              .putLong(low)
              .putLong(high)
              .putInt(level)
              .array();
      ranked.add(new Ranked(peer, Digest.of(edge)));
    }
    ranked.sort(Comparator.comparing(Ranked::rank).thenComparing(Ranked::peer));
    return ranked.stream().limit(step.settings().links()).map(Ranked::peer).sorted().toList();
  }

  /**
   * Keeps a message for a level that this peer has not started. A peer whose zone below was merged
   * will not start that level: it replies with the zone that its own was merged into.
   */
  void deferEarly(PeerId from, FormationMessage message) {
    int below = message.level() - 1;
    ZoneRef mergedInto = step.mergedInto(below);
    if (mergedInto == null && earlyMessageCount() >= FormationProtocol.MAX_EARLY_MESSAGES) {
      step.count("overlay-too-early");
    } else if (mergedInto == null) {
      step.put(step.levelState(message.level()).defer(new EarlyMessage(from, message)));
      step.handle(new FormationEvent.OtherZoneFound(below));
    } else {
      step.send(from, new ZoneMerged(new ZoneId(step.epoch(), below, step.self()), mergedInto));
    }
  }

  /** Early messages kept on all levels. */
  private int earlyMessageCount() {
    return step.state().levels().values().stream()
        .mapToInt(each -> each.earlyMessages().size())
        .sum();
  }

  /** Adds a link to a peer that was discovered after the level started. */
  void addLink(int level, PeerId peer) {
    LevelState levelState = step.levelState(level);
    if (!levelState.started() || peer.equals(step.self()) || levelState.links().contains(peer)) {
      return;
    }
    step.put(levelState.with(Copies.with(levelState.links(), peer)));
    sendOwnScore(level, peer);
    step.handle(new FormationEvent.ZoneAwaited(level, peer));
  }

  void scoreReceived(PeerId from, ScoreOffer offer) {
    if (offer.epoch() != step.epoch()) {
      step.count("overlay-other-epoch");
      return;
    }
    Optional<ElectionScore> checked = step.verifyScore(offer.peer(), offer.proof());
    if (checked.isEmpty()) {
      return;
    }
    int level = offer.level();
    if (level > 1) {
      addLink(level, from);
    }
    LevelState levelState = step.levelState(level);
    ElectionState electionState = levelState.election();
    List<PeerId> heardFrom =
        electionState.heardFrom().contains(from)
            ? electionState.heardFrom()
            : Copies.with(electionState.heardFrom(), from);
    KnownScore fresh = new KnownScore(checked.get(), offer.hopsLeft());
    if (electionState.scores().stream().anyMatch(known -> known.dominates(fresh))) {
      step.put(
          levelState.with(
              new ElectionState(electionState.scores(), heardFrom, electionState.extraWaves())));
      return;
    }
    List<KnownScore> knownScores = new ArrayList<>(electionState.scores());
    knownScores.removeIf(fresh::dominates);
    knownScores.add(fresh);
    step.put(
        levelState.with(
            new ElectionState(List.copyOf(knownScores), heardFrom, electionState.extraWaves())));
    if (offer.hopsLeft() > 0) {
      ScoreOffer forwarded =
          ScoreOfferBuilder.from(offer).level(level).hopsLeft(offer.hopsLeft() - 1).build();
      levelState.links().stream()
          .filter(link -> !link.equals(from) && !link.equals(offer.peer()))
          .forEach(link -> step.send(link, forwarded));
    }
  }

  void decide(int level) {
    LevelState levelState = step.levelState(level);
    if (levelState.assignment().phase() != Phase.ELECTING) {
      return;
    }
    ElectionState electionState = levelState.election();
    // Above the lowest level, peers start at different times.
    if (level > 1
        && electionState.extraWaves() < MAX_EXTRA_WAVES
        && !electionState.heardFrom().containsAll(levelState.links())) {
      step.put(
          levelState.with(
              new ElectionState(
                  electionState.scores(),
                  electionState.heardFrom(),
                  electionState.extraWaves() + 1)));
      step.setLevelTimer(FormationTimer.DECIDE_ELECTION, level, step.settings().waveTicks());
      return;
    }
    ElectionScore own = step.ownScore().score();
    if (electionState.scores().stream().allMatch(each -> own.compareTo(each.score()) <= 0)) {
      step.handle(new FormationEvent.InitiatorElected(level));
    } else {
      step.put(levelState.with(new ZoneAssignment(Phase.WAITING, Optional.empty(), 0, List.of())));
      step.setLevelTimer(FormationTimer.PROBE_TIMEOUT, level, 2 * step.settings().waveTicks());
    }
  }
}
