package io.kindred.protocol.overlay;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.overlay.ZoneState.MemberEntry;
import io.kindred.protocol.overlay.clustering.ClusterPlacement;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.VrfSecret;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** States and inputs of single sub-protocols, and their outcomes in words. */
public final class SubProtocolFixtures {
  public static final PeerId SELF = new PeerId(0);
  public static final PeerId OTHER = new PeerId(1);
  public static final PeerId THIRD = new PeerId(2);
  public static final PeerId FOURTH = new PeerId(3);
  public static final PeerId STRANGER = new PeerId(9);
  public static final Signature OWN = signature(1, 2);
  public static final Signature DRIFTED = signature(2, -1);

  public static final SearchRule RULE = new SearchRule(8, SearchRule.BeamScope.NODE, 0);

  private static final Epoch BEFORE = Epoch.zero(Digest.of(new byte[] {1}));

  private SubProtocolFixtures() {}

  /** Zones of at most four peers, replica sets of two, and a lease of half a second. */
  public static StepView view(long tick) {
    OverlaySettings settings =
        new OverlaySettings(
            2,
            4,
            8,
            2,
            8,
            0.1,
            OverlaySettings.RootDissemination.TREE,
            ThresholdRule.DEFAULT,
            AffinityRule.DEFAULT,
            new SignatureRule(
                SignatureRule.Subject.DELTA, 0, 5, 0.8, 0, 0.05, 1, 0.9, 0.5, Precision.FLOAT32),
            MaintenanceSettings.DISABLED.withLease(0.5));
    OverlayContext context =
        new OverlayContext(
            SELF,
            settings,
            secret(SELF),
            1,
            BEFORE,
            ProofVerifier.uncached(peer -> Optional.of(secret(peer).publicKey())));
    return new StepView(context, BEFORE, 0, tick);
  }

  private static VrfSecret secret(PeerId peer) {
    return VrfSecret.derive(Digest.of(new byte[] {2, (byte) peer.number()}));
  }

  public static ElectionScore.ProvenScore score(PeerId peer) {
    return ElectionScore.draw(peer, secret(peer), BEFORE);
  }

  public static Bytes proof(PeerId peer) {
    return score(peer).proof();
  }

  public static Signature signature(float first, float second) {
    return Signature.of(4, Precision.FLOAT32, Ints.of(0, 2), Floats.of(first, second));
  }

  public static ZoneId zone(int level, PeerId initiator) {
    return new ZoneId(1, level, initiator);
  }

  /** A cluster of a zone of the lowest level. */
  public static ClusterDescriptor cluster(
      ZoneId zone, int index, Signature prototype, PeerId... peers) {
    List<PeerId> replicas = List.of(peers).subList(0, Math.min(2, peers.length));
    return new ClusterDescriptor(index, peers[0], prototype, replicas, peers.length, zone);
  }

  /** A zone of the lowest level whose clusters are those of all its members. */
  public static ZoneState lowestZone(ZoneId zone, long version, List<List<PeerId>> clusters) {
    SortedMap<PeerId, MemberEntry> members = new TreeMap<>();
    List<ClusterEntry> entries = new ArrayList<>();
    for (List<PeerId> peers : clusters) {
      for (PeerId peer : peers) {
        members.put(
            peer,
            new MemberEntry(peer, 1, new ElectionScore(peer.number(), peer), Optional.empty(), 0));
      }
      Signature prototype = entries.isEmpty() ? OWN : DRIFTED;
      entries.add(
          new ClusterEntry(
              cluster(zone, entries.size(), prototype, peers.toArray(PeerId[]::new)),
              peers,
              List.of()));
    }
    return ClusterPlacement.repairReplicas(
        new ZoneState(zone, version, false, members, entries, List.of(), Optional.empty()),
        /* replicas= */ 2);
  }

  /** The effects and events of a step, one line each. */
  public static List<String> words(StepOutcome<?> outcome) {
    List<String> lines = new ArrayList<>();
    for (Effect effect : outcome.effects()) {
      lines.add(
          switch (effect) {
            case Effect.Send(PeerId to, Message message) ->
                message.getClass().getSimpleName() + " to " + to.number();
            case Effect.Observe(Observation.Counted counted) -> "count " + counted.name();
            case Effect.SetTimer set -> "timer " + set.timer().name();
            case Effect.Notify notify -> "notify " + notify.message().getClass().getSimpleName();
            default -> effect.getClass().getSimpleName();
          });
    }
    outcome.events().forEach(event -> lines.add("raise " + event.getClass().getSimpleName()));
    return lines;
  }
}
