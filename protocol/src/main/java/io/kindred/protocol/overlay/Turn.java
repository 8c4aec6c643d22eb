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
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.overlay.OverlayState.Desk;
import io.kindred.protocol.overlay.OverlayState.Formation;
import io.kindred.protocol.overlay.OverlayState.Own;
import io.kindred.protocol.overlay.OverlayState.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step of the overlay in the making: the state so far and the effects so far. What a peer says
 * to itself never leaves it.
 */
final class Turn {
  final OverlayContext context;
  final OverlaySettings settings;
  final long tick;
  Own own;
  Desk desk;
  private Formation formation;
  private Place place;
  private final List<Effect> effects = new ArrayList<>();
  private final Deque<Message> toSelf = new ArrayDeque<>();

  Turn(OverlayContext context, OverlayState state, long tick) {
    this.context = context;
    this.settings = context.settings();
    this.tick = tick;
    formation = state.formation();
    place = state.place();
    own = state.own();
    desk = state.desk();
  }

  Step<OverlayState> end() {
    return new Step<>(new OverlayState(formation, place, own, desk), effects);
  }

  PeerId self() {
    return context.self();
  }

  ZoneId ownZone(int level) {
    return new ZoneId(context.epoch(), level, self());
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

  void compute(long ticket, Ticket work) {
    effects.add(new Effect.Compute(ticket, work));
  }

  void tell(Note note) {
    effects.add(new Effect.Tell(Component.METHOD, note));
  }

  void count(String name) {
    effects.add(new Effect.Observe(new Observation.Counted(name)));
  }

  Score.Drawn drawn() {
    return formation
        .drawn()
        .orElseThrow(() -> new IllegalStateException(self() + " takes part before it has drawn"));
  }

  void begin(List<PeerId> neighbours) {
    Score.Drawn drawn = context.proofs().draw(self(), context.secret(), context.before());
    formation =
        new Formation(
            Optional.of(drawn),
            neighbours,
            formation.vertices(),
            formation.leads(),
            formation.moved());
  }

  /** The score that a proof shows; a refused proof is counted. */
  Optional<Score> check(PeerId peer, Bytes proof) {
    Optional<Score> score = context.proofs().check(peer, context.before(), proof);
    if (score.isEmpty()) {
      count("overlay-refused-proof");
    }
    return score;
  }

  /** The own vertex on a level, which may not have begun. */
  Vertex vertex(int level) {
    Vertex known = formation.vertices().get(level);
    return known == null ? Vertex.fresh(level) : known;
  }

  void put(Vertex vertex) {
    formation =
        new Formation(
            formation.drawn(),
            formation.neighbours(),
            Rows.with(formation.vertices(), vertex.level(), vertex),
            formation.leads(),
            formation.moved());
  }

  @Nullable Lead lead(int level) {
    return formation.leads().get(level);
  }

  /**
   * Whoever gave up a zone may be handed another of that level. It must not go on saying that it
   * moved: those it tells no longer wait for it, and call themselves the last.
   */
  void put(Lead lead) {
    formation =
        new Formation(
            formation.drawn(),
            formation.neighbours(),
            formation.vertices(),
            Rows.with(formation.leads(), lead.level(), lead),
            Rows.without(formation.moved(), lead.level()));
  }

  @Nullable Adjacent moved(int level) {
    return formation.moved().get(level);
  }

  /** The own zone of a level is no more. */
  void dissolve(int level, Adjacent into) {
    formation =
        new Formation(
            formation.drawn(),
            formation.neighbours(),
            formation.vertices(),
            Rows.without(formation.leads(), level),
            Rows.with(formation.moved(), level, into));
  }

  @Nullable Seat seat(ClusterId cluster) {
    return place.seats().get(cluster);
  }

  List<Seat> seats() {
    return List.copyOf(place.seats().values());
  }

  void put(Seat seat) {
    place =
        new Place(
            Rows.with(place.seats(), seat.cluster().id(), seat),
            place.home(),
            place.entries(),
            place.early());
  }

  Optional<Seat.Pointer> home() {
    return place.home();
  }

  void settle(Seat.Pointer home) {
    place = new Place(place.seats(), Optional.of(home), place.entries(), place.early());
  }

  /** Whether that is news. */
  boolean agree(int entries) {
    boolean news = !place.entries().equals(Optional.of(entries));
    place = new Place(place.seats(), place.home(), Optional.of(entries), place.early());
    return news;
  }

  List<OverlayMessage> early() {
    return place.early();
  }

  void early(List<OverlayMessage> messages) {
    place = new Place(place.seats(), place.home(), place.entries(), messages);
  }
}
