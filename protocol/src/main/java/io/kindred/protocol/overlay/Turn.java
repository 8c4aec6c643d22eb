package io.kindred.protocol.overlay;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Message;
import io.kindred.core.Note;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Bytes;
import io.kindred.core.work.Ticket;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Epoch;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.overlay.Era.Formation;
import io.kindred.protocol.overlay.Era.Place;
import io.kindred.protocol.overlay.Era.Watch;
import io.kindred.protocol.overlay.OverlayState.Desk;
import io.kindred.protocol.overlay.OverlayState.Own;
import io.kindred.protocol.overlay.OverlayState.Standing;
import io.kindred.protocol.signatures.Signature;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One step of the overlay in the making: the state so far and the effects so far. What a peer says
 * to itself never leaves it. A step works on the overlay of one epoch at a time.
 */
final class Turn {
  /** Overlays that are kept: the one that answers and the one that is built. */
  private static final int MOST_ERAS = 2;

  /**
   * How far ahead of what it knows a peer follows others. Seeds follow from each other, so each
   * epoch in between costs a hash: this many take about a second. One that knows nothing, after a
   * restart or as a newcomer, comes to a network that began a minute's epochs two years ago.
   */
  private static final long MOST_AHEAD = 1 << 20;

  /** More than there are levels: an alarm's number says both its epoch and its level. */
  private static final long LEVELS = 256;

  final OverlayContext context;
  final OverlaySettings settings;
  final long tick;
  Own own;
  Desk desk;
  Standing standing;
  private final NavigableMap<Long, Era> eras;
  private Era era;
  private final List<Effect> effects = new ArrayList<>();
  private final Deque<Message> toSelf = new ArrayDeque<>();

  Turn(OverlayContext context, OverlayState state, long tick) {
    this.context = context;
    this.settings = context.settings();
    this.tick = tick;
    own = state.own();
    desk = state.desk();
    standing = state.standing();
    eras = new TreeMap<>(state.eras());
    era = eras.isEmpty() ? Era.blank(context.before(), tick) : eras.lastEntry().getValue();
  }

  Step<OverlayState> end() {
    keep();
    return new Step<>(new OverlayState(eras, own, desk, standing), effects);
  }

  private void keep() {
    eras.computeIfPresent(era.number(), (number, known) -> era);
  }

  PeerId self() {
    return context.self();
  }

  /** The epoch that this step works on. */
  long epoch() {
    return era.number();
  }

  /** The newest epoch that this peer takes part in; before the first where it does in none. */
  long newest() {
    return eras.isEmpty() ? context.before().number() : eras.lastKey();
  }

  boolean knows(long epoch) {
    return eras.containsKey(epoch);
  }

  /** Whether an epoch is later than what this peer knows, and not too far away to be true. */
  boolean canFollow(long epoch) {
    return epoch > newest() && epoch - newest() <= MOST_AHEAD;
  }

  /** Goes over to the overlay of another epoch, one that is kept. */
  void enter(long epoch) {
    keep();
    Era other = eras.get(epoch);
    if (other == null) {
      throw new IllegalArgumentException(self() + " has no overlay of epoch " + epoch);
    }
    era = other;
  }

  /** Goes over to the overlay that answers queries. */
  void enterSettled() {
    keep();
    Era best = era;
    for (Era each : eras.values()) {
      if (each.settled() || !best.settled()) {
        best = each;
      }
    }
    era = best;
  }

  /** Begins an overlay; the oldest is dropped. Without a score where others have built it. */
  void begin(long epoch, boolean draws) {
    keep();
    Epoch before = context.before();
    for (Era known : eras.headMap(epoch, true).values()) {
      before = known.before();
    }
    while (before.number() + 1 < epoch) {
      before = before.next();
    }
    era = Era.blank(before, tick);
    if (draws) {
      Formation empty = era.formation();
      Score.Drawn drawn = context.proofs().draw(self(), context.secret(), before);
      era =
          era.with(
              new Formation(Optional.of(drawn), empty.vertices(), empty.leads(), empty.moved()));
    }
    eras.put(epoch, era);
    while (eras.size() > MOST_ERAS) {
      eras.remove(eras.firstKey());
    }
  }

  /** Forgets all overlays. */
  void forget() {
    eras.clear();
    era = Era.blank(context.before(), tick);
  }

  Era era() {
    return era;
  }

  ZoneId ownZone(int level) {
    return new ZoneId(epoch(), level, self());
  }

  void send(PeerId to, Message message) {
    if (to.equals(self())) {
      toSelf.add(message);
    } else {
      effects.add(new Effect.Send(to, message));
    }
  }

  @Nullable Message nextToSelf() {
    return toSelf.poll();
  }

  void alarm(String name, long number, long afterTicks) {
    effects.add(new Effect.SetTimer(new Timer(name, number), afterTicks));
  }

  /** An alarm of this epoch and a level. */
  void levelAlarm(String name, int level, long afterTicks) {
    alarm(name, numberOf(level), afterTicks);
  }

  /** What alarms and work of this epoch and a level are numbered. */
  long numberOf(int level) {
    return epoch() * LEVELS + level;
  }

  static long epochOf(long number) {
    return number / LEVELS;
  }

  static int levelOf(long number) {
    return (int) (number % LEVELS);
  }

  void compute(int level, Ticket work) {
    effects.add(new Effect.Compute(numberOf(level), work));
  }

  void tell(Note note) {
    effects.add(new Effect.Tell(Component.METHOD, note));
  }

  void count(String name) {
    effects.add(new Effect.Observe(new Observation.Counted(name)));
  }

  Score.Drawn drawn() {
    return era.formation()
        .drawn()
        .orElseThrow(() -> new IllegalStateException(self() + " takes part before it has drawn"));
  }

  /** Its score of this epoch, drawn now if it came too late to elect anybody. */
  Score.Drawn lot() {
    return era.formation()
        .drawn()
        .orElseGet(() -> context.proofs().draw(self(), context.secret(), era.before()));
  }

  /** The score that a proof shows; a refused proof is counted. */
  Optional<Score> check(PeerId peer, Bytes proof) {
    Optional<Score> score = context.proofs().check(peer, era.before(), proof);
    if (score.isEmpty()) {
      count("overlay-refused-proof");
    }
    return score;
  }

  /**
   * Whether a signature is of a model like the own one. Others cannot be compared with it, and
   * nobody knows how much memory it would take to try.
   */
  boolean isComparable(Signature other) {
    return own.signature().filter(mine -> mine.dimension() == other.dimension()).isPresent();
  }

  boolean areComparable(List<ClusterDescriptor> clusters) {
    return clusters.stream().allMatch(each -> isComparable(each.prototype()));
  }

  /** The own vertex on a level, which may not have begun. */
  Vertex vertex(int level) {
    Vertex known = era.formation().vertices().get(level);
    return known == null ? Vertex.fresh(level) : known;
  }

  void put(Vertex vertex) {
    Formation now = era.formation();
    era =
        era.with(
            new Formation(
                now.drawn(),
                Rows.with(now.vertices(), vertex.level(), vertex),
                now.leads(),
                now.moved()));
  }

  @Nullable Lead lead(int level) {
    return era.formation().leads().get(level);
  }

  /**
   * Whoever gave up a zone may be handed another of that level. It must not go on saying that it
   * moved: those it tells no longer wait for it, and call themselves the last.
   */
  void put(Lead lead) {
    Formation now = era.formation();
    era =
        era.with(
            new Formation(
                now.drawn(),
                now.vertices(),
                Rows.with(now.leads(), lead.level(), lead),
                Rows.without(now.moved(), lead.level())));
  }

  @Nullable Adjacent moved(int level) {
    return era.formation().moved().get(level);
  }

  /** The own zone of a level is no more. */
  void dissolve(int level, Adjacent into) {
    Formation now = era.formation();
    era =
        era.with(
            new Formation(
                now.drawn(),
                now.vertices(),
                Rows.without(now.leads(), level),
                Rows.with(now.moved(), level, into)));
  }

  /** This peer no longer takes part in forming zones. */
  void disband() {
    Formation now = era.formation();
    era = era.with(new Formation(now.drawn(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()));
  }

  @Nullable Seat seat(ClusterId cluster) {
    return era.place().seats().get(cluster);
  }

  List<Seat> seats() {
    return List.copyOf(era.place().seats().values());
  }

  void put(Seat seat) {
    Place now = era.place();
    seats(Rows.with(now.seats(), seat.cluster().id(), seat));
  }

  void vacate(ClusterId cluster) {
    seats(Rows.without(era.place().seats(), cluster));
  }

  void seats(SortedMap<ClusterId, Seat> seats) {
    Place now = era.place();
    era = era.with(new Place(seats, now.home(), now.entries(), now.early()));
  }

  Optional<Seat.Pointer> home() {
    return era.place().home();
  }

  void settle(Optional<Seat.Pointer> home) {
    Place now = era.place();
    era = era.with(new Place(now.seats(), home, now.entries(), now.early()));
  }

  /** Whether that is news. */
  boolean agree(int entries) {
    Place now = era.place();
    boolean news = !now.entries().equals(Optional.of(entries));
    era = era.with(new Place(now.seats(), now.home(), Optional.of(entries), now.early()));
    return news;
  }

  List<OverlayMessage> early() {
    return era.place().early();
  }

  void early(List<OverlayMessage> messages) {
    Place now = era.place();
    era = era.with(new Place(now.seats(), now.home(), now.entries(), messages));
  }

  Watch watch() {
    return era.watch();
  }

  private void watch(Watch next) {
    era = era.with(next);
  }

  void put(Tenancy tenancy) {
    watch(era.watch().with(tenancy));
  }

  void put(Ward ward) {
    watch(era.watch().leading(ward));
  }

  void copy(Ward ward) {
    watch(era.watch().copying(ward));
  }

  /** This peer has nothing more to do with a zone of that level. */
  void moveOut(int level) {
    watch(era.watch().without(level));
  }

  void hear(int level, SortedMap<PeerId, Long> heard) {
    watch(era.watch().hearing(level, heard));
  }

  void regroup(Optional<Regroup> next) {
    watch(era.watch().regrouping(next));
  }

  void crown(Crown top) {
    watch(era.watch().under(top));
  }

  /** The top is alive. */
  void pulse(long number) {
    if (number > era.watch().pulse().number()) {
      watch(era.watch().with(new Era.Pulse(number, tick)));
    }
  }
}
