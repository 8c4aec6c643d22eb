package io.kindred.protocol.overlay;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Catalogue;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.EpochState.FormationState;
import io.kindred.protocol.overlay.EpochState.HierarchyPosition;
import io.kindred.protocol.overlay.EpochState.MembershipState;
import io.kindred.protocol.overlay.OverlayState.LocalSignature;
import io.kindred.protocol.overlay.OverlayState.LocalStatus;
import io.kindred.protocol.overlay.OverlayState.QueryTable;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.vrf.Epoch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A step of the overlay while it is computed: state and effects so far. Messages that the peer
 * sends to itself stay inside the step. A step works on one epoch at a time.
 */
final class OverlayStep {
  /** Counted where a signature cannot be compared with the own one. */
  static final String OTHER_MODEL = "overlay-other-model";

  /** Epochs that are kept: the one that answers queries and the one that is being built. */
  private static final int MAX_EPOCHS = 2;

  /**
   * How far ahead of its newest epoch a peer follows others. Seeds follow from each other, so each
   * epoch in between costs a hash: this many take about a second. A peer that knows no epoch, after
   * a restart or as a new peer, can thus join a network that began one-minute epochs two years ago.
   */
  private static final long MAX_EPOCHS_AHEAD = 1 << 20;

  final OverlayContext context;
  final OverlaySettings settings;
  final long tick;
  LocalSignature localSignature;
  QueryTable queries;
  LocalStatus status;
  private final BiConsumer<OverlayStep, OverlayEvent> router;
  private final NavigableMap<Long, EpochState> epochs;
  private EpochState epochState;
  private final List<Effect> effects = new ArrayList<>();
  private final Deque<Message> selfMessages = new ArrayDeque<>();

  OverlayStep(
      OverlayContext context,
      OverlayState state,
      long tick,
      BiConsumer<OverlayStep, OverlayEvent> router) {
    this.context = context;
    this.router = router;
    this.settings = context.settings();
    this.tick = tick;
    localSignature = state.localSignature();
    queries = state.queries();
    status = state.status();
    epochs = new TreeMap<>(state.epochs());
    epochState =
        epochs.isEmpty()
            ? EpochState.empty(context.previousEpoch(), tick)
            : epochs.lastEntry().getValue();
  }

  Step<OverlayState> finish() {
    saveEpoch();
    return new Step<>(new OverlayState(epochs, localSignature, queries, status), effects);
  }

  private void saveEpoch() {
    epochs.computeIfPresent(epochState.epoch(), (number, known) -> epochState);
  }

  PeerId self() {
    return context.self();
  }

  /** The epoch that this step works on. */
  long epoch() {
    return epochState.epoch();
  }

  /**
   * The newest epoch that this peer takes part in; the one before the first where there is none.
   */
  long newestEpoch() {
    return epochs.isEmpty() ? context.previousEpoch().number() : epochs.lastKey();
  }

  boolean hasEpoch(long epoch) {
    return epochs.containsKey(epoch);
  }

  /** Whether an epoch is newer than those that this peer knows, but not implausibly far ahead. */
  boolean canFollow(long epoch) {
    return epoch > newestEpoch() && epoch - newestEpoch() <= MAX_EPOCHS_AHEAD;
  }

  /** Switches to another epoch, one that is kept. */
  void enterEpoch(long epoch) {
    saveEpoch();
    EpochState other = epochs.get(epoch);
    if (other == null) {
      throw new IllegalArgumentException(self() + " has no overlay of epoch " + epoch);
    }
    epochState = other;
  }

  /** Switches to the epoch that answers queries. */
  void enterReadyEpoch() {
    saveEpoch();
    EpochState best = epochState;
    for (EpochState each : epochs.values()) {
      if (each.isReady() || !best.isReady()) {
        best = each;
      }
    }
    epochState = best;
  }

  /**
   * Begins an epoch and drops the oldest one. The peer draws no score where others have already
   * built the overlay.
   */
  void beginEpoch(long epoch, boolean draws) {
    saveEpoch();
    Epoch before = context.previousEpoch();
    for (EpochState known : epochs.headMap(epoch, true).values()) {
      before = known.previousEpoch();
    }
    while (before.number() + 1 < epoch) {
      before = before.next();
    }
    epochState = EpochState.empty(before, tick);
    if (draws) {
      FormationState empty = epochState.formation();
      ElectionScore.ProvenScore provenScore =
          context.verifier().draw(self(), context.secret(), before);
      epochState =
          epochState.with(
              FormationStateBuilder.from(empty).ownScore(Optional.of(provenScore)).build());
    }
    epochs.put(epoch, epochState);
    while (epochs.size() > MAX_EPOCHS) {
      epochs.remove(epochs.firstKey());
    }
  }

  /** Forgets all epochs. */
  void forgetEpochs() {
    epochs.clear();
    epochState = EpochState.empty(context.previousEpoch(), tick);
  }

  EpochState epochState() {
    return epochState;
  }

  ZoneId ownZone(int level) {
    return new ZoneId(epoch(), level, self());
  }

  void send(PeerId to, Message message) {
    if (to.equals(self())) {
      selfMessages.add(message);
    } else {
      effects.add(new Effect.Send(to, message));
    }
  }

  /** Has an internal event handled, before this step goes on. */
  void raise(OverlayEvent event) {
    router.accept(this, event);
  }

  @Nullable Message pollSelfMessage() {
    return selfMessages.poll();
  }

  void setTimer(OverlayTimer timer, long afterTicks) {
    effects.add(new Effect.SetTimer(timer.toTimer(), afterTicks));
  }

  /** Sets a timer of this epoch and a level. */
  void setLevelTimer(OverlayTimer.FormationStep due, int level, long afterTicks) {
    setTimer(new OverlayTimer.FormationDue(due, epoch(), level), afterTicks);
  }

  void compute(int level, Ticket work) {
    effects.add(new Effect.Compute(OverlayTimer.number(epoch(), level), work));
  }

  void notifyMethod(LocalMessage message) {
    effects.add(new Effect.Notify(Component.METHOD, message));
  }

  /** What this peer knows of its zones, in the epoch that this step works on. */
  ZoneView zones() {
    return new ZoneView(self(), epochState.membership(), settings);
  }

  /**
   * Clusters by the similarity of their prototypes to a signature; none where the signature is of
   * another model, because a scorer takes as much memory as the model has weights.
   */
  List<SearchMessage.ScoredCluster> scoreClusters(
      Signature signature, List<ClusterDescriptor> clusters) {
    if (!isComparable(signature)) {
      count(OTHER_MODEL);
      return List.of();
    }
    return ClusterScores.score(signature, clusters);
  }

  /** What this peer knows of the roles of others, in the epoch that this step works on. */
  SenderRoles senderRoles() {
    return new SenderRoles(self(), epochState, settings.maintenance(), tick);
  }

  /** Counts, by type, a message whose sender is not in the role that it needs. */
  void refuse(Message message) {
    count("overlay-refused-" + Catalogue.nameOf(message.getClass()).replace("overlay/", ""));
  }

  void count(String name) {
    effects.add(new Effect.Observe(new Observation.Counted(name)));
  }

  ElectionScore.ProvenScore ownScore() {
    return epochState
        .formation()
        .ownScore()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    self() + " takes part in an election before it has drawn its score"));
  }

  /** This peer's score of this epoch, drawn now if the peer joined after the elections. */
  ElectionScore.ProvenScore ownScoreOrDraw() {
    return epochState
        .formation()
        .ownScore()
        .orElseGet(
            () -> context.verifier().draw(self(), context.secret(), epochState.previousEpoch()));
  }

  /** The score that a proof shows; a refused proof is counted. */
  Optional<ElectionScore> verifyScore(PeerId peer, Bytes proof) {
    Optional<ElectionScore> electionScore =
        context.verifier().verify(peer, epochState.previousEpoch(), proof);
    if (electionScore.isEmpty()) {
      count(Overlay.REFUSED_PROOF);
    }
    return electionScore;
  }

  /**
   * Whether a signature is of a model of the same dimension as the peer's own. Others cannot be
   * compared with it, and the attempt could take any amount of memory.
   */
  boolean isComparable(Signature other) {
    return localSignature
        .signature()
        .filter(mine -> mine.dimension() == other.dimension())
        .isPresent();
  }

  boolean areComparable(List<ClusterDescriptor> clusters) {
    return clusters.stream().allMatch(each -> isComparable(each.prototype()));
  }

  /** The peer's formation state on a level, which may not have started. */
  LevelState levelState(int level) {
    LevelState known = epochState.formation().levels().get(level);
    return known == null ? LevelState.initial(level) : known;
  }

  void put(LevelState level) {
    FormationState now = epochState.formation();
    epochState =
        epochState.with(
            FormationStateBuilder.from(now)
                .levels(Copies.with(now.levels(), level.level(), level))
                .build());
  }

  @Nullable ZoneFormation formingZone(int level) {
    return epochState.formation().formingZones().get(level);
  }

  /**
   * A peer whose zone has merged may receive a split-off zone on the same level. It must then
   * forget the merge: a zone that it answers with {@link OverlayMessage.ZoneMerged} no longer waits
   * for it, and may declare itself the only one.
   */
  void put(ZoneFormation formation) {
    FormationState now = epochState.formation();
    epochState =
        epochState.with(
            FormationStateBuilder.from(now)
                .formingZones(Copies.with(now.formingZones(), formation.level(), formation))
                .mergedInto(Copies.without(now.mergedInto(), formation.level()))
                .build());
  }

  @Nullable ZoneRef mergedInto(int level) {
    return epochState.formation().mergedInto().get(level);
  }

  /** The peer's zone of a level has merged into another one. */
  void dissolveZone(int level, ZoneRef into) {
    FormationState now = epochState.formation();
    epochState =
        epochState.with(
            FormationStateBuilder.from(now)
                .formingZones(Copies.without(now.formingZones(), level))
                .mergedInto(Copies.with(now.mergedInto(), level, into))
                .build());
  }

  /** This peer no longer takes part in forming zones. */
  void leaveFormation() {
    FormationState now = epochState.formation();
    epochState =
        epochState.with(
            new FormationState(now.ownScore(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()));
  }

  @Nullable ClusterReplica replica(ClusterId cluster) {
    return epochState.position().heldReplicas().get(cluster);
  }

  List<ClusterReplica> replicas() {
    return List.copyOf(epochState.position().heldReplicas().values());
  }

  void put(ClusterReplica replica) {
    HierarchyPosition now = epochState.position();
    replicas(Copies.with(now.heldReplicas(), replica.descriptor().id(), replica));
  }

  void dropReplica(ClusterId cluster) {
    replicas(Copies.without(epochState.position().heldReplicas(), cluster));
  }

  void replicas(SortedMap<ClusterId, ClusterReplica> replicas) {
    HierarchyPosition now = epochState.position();
    epochState = epochState.with(HierarchyPositionBuilder.from(now).heldReplicas(replicas).build());
  }

  Optional<ClusterReplica.ClusterPointer> homeCluster() {
    return epochState.position().homeCluster();
  }

  /**
   * Sets the peer's home cluster. A joining peer that knows the overlay is built needs nothing
   * else: the method is notified, whichever message assigned the cluster.
   */
  void setHomeCluster(ClusterReplica.ClusterPointer home) {
    HierarchyPosition now = epochState.position();
    boolean ready = epochState.isReady();
    epochState =
        epochState.with(HierarchyPositionBuilder.from(now).homeCluster(Optional.of(home)).build());
    if (!ready && epochState.isReady() && status.joiningSince() >= 0) {
      status = status.withJoining(-1, List.of());
      notifyMethod(new OverlayLocalMessage.Ready(epoch(), now.signatureEntries().orElseThrow()));
    }
  }

  void clearHomeCluster() {
    HierarchyPosition now = epochState.position();
    epochState =
        epochState.with(HierarchyPositionBuilder.from(now).homeCluster(Optional.empty()).build());
  }

  /** Returns whether the number has changed. */
  boolean setSignatureEntries(int entries) {
    HierarchyPosition now = epochState.position();
    boolean changed = !now.signatureEntries().equals(Optional.of(entries));
    epochState =
        epochState.with(
            HierarchyPositionBuilder.from(now).signatureEntries(Optional.of(entries)).build());
    return changed;
  }

  List<OverlayMessage> earlyMessages() {
    return epochState.position().earlyMessages();
  }

  void earlyMessages(List<OverlayMessage> messages) {
    HierarchyPosition now = epochState.position();
    epochState =
        epochState.with(HierarchyPositionBuilder.from(now).earlyMessages(messages).build());
  }

  /** Whether this peer already runs as many searches as it accepts. */
  boolean isOverloaded() {
    return queries.subtreeSearches().size() + queries.rootSearches().size()
        >= settings.maintenance().queries();
  }

  void refuseQuery(PeerId from, SearchMessage.Refusable message) {
    count("overlay-query-refused");
    send(from, new SearchMessage.Refusal(message));
  }

  /** Limits how long a search at a level waits for those below, which must time out first. */
  long startSearchTimer(int level) {
    long number = queries.nextTimer();
    queries = queries.withNextTimer(number + 1);
    setTimer(new OverlayTimer.SearchTimeout(number), 4L * (level + 1) * settings.hopTicks());
    return number;
  }

  MembershipState membership() {
    return epochState.membership();
  }

  private void membership(MembershipState next) {
    epochState = epochState.with(next);
  }

  void put(ZoneLease lease) {
    membership(epochState.membership().with(lease));
  }

  void put(ZoneState zone) {
    membership(epochState.membership().withLedZone(zone));
  }

  void putStandby(ZoneState zone) {
    membership(epochState.membership().withStandbyZone(zone));
  }

  /** Drops the lease, the led zone and the standby zone of a level. */
  void leaveZone(int level) {
    membership(epochState.membership().without(level));
  }

  void setHeartbeats(int level, SortedMap<PeerId, Long> lastHeartbeats) {
    membership(epochState.membership().withHeartbeats(level, lastHeartbeats));
  }

  void setReclustering(Optional<ReclusteringState> next) {
    membership(epochState.membership().withReclustering(next));
  }

  void setRoot(RootId root) {
    membership(epochState.membership().withRoot(root));
  }

  /** Records a heartbeat of the root, unless a newer one is known. */
  void recordRootHeartbeat(long number) {
    if (number > epochState.membership().rootHeartbeat().sequence()) {
      membership(epochState.membership().with(new EpochState.RootHeartbeat(number, tick)));
    }
  }

  /** Whether this peer could lead a zone whose state it receives. */
  boolean canLead(ZoneState zone) {
    boolean valid =
        zone.isValid()
            && areComparable(zone.rootClusters())
            && areComparable(zone.descriptors())
            && zone.clusters().stream().allMatch(each -> areComparable(each.children()));
    if (!valid) {
      count("overlay-invalid-zone-state");
    }
    return valid;
  }
}
