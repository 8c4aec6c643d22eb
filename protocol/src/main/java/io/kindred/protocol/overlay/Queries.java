package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.overlay.OverlayState.Asked;
import io.kindred.protocol.overlay.OverlayState.Desk;
import io.kindred.protocol.overlay.OverlayState.Own;
import io.kindred.protocol.overlay.SearchMessage.Answer;
import io.kindred.protocol.overlay.SearchMessage.Branch;
import io.kindred.protocol.overlay.SearchMessage.Branches;
import io.kindred.protocol.overlay.SearchMessage.Compare;
import io.kindred.protocol.overlay.SearchMessage.Compared;
import io.kindred.protocol.overlay.SearchMessage.Found;
import io.kindred.protocol.overlay.SearchMessage.Query;
import io.kindred.protocol.overlay.SearchMessage.Refusal;
import io.kindred.protocol.overlay.SearchMessage.Rising;
import io.kindred.protocol.overlay.SearchMessage.Sought;
import io.kindred.protocol.search.Threshold;
import io.kindred.protocol.signatures.Signature;
import io.kindred.protocol.signatures.SignatureScorer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The way of a query (SemanticDFL, section 3.4): up by parent pointers to a top super-peer, which
 * leads it ({@link Entries}), down through super-peers ({@link Descents}) to peers that compare
 * themselves, and back. This class asks, rises, and keeps what both share.
 */
final class Queries {
  static final String ALARM = "overlay-query";
  static final String UNANSWERED = "overlay-unanswered";

  /** Hop times that the way up and back may take besides what the top waits for. */
  private static final int PATIENCE_HOPS = 256;

  /** The same where it is asked again, and how often that is. */
  private static final int SHORT_PATIENCE_HOPS = 64;

  private static final int MOST_REPETITIONS = 3;

  private static final int MOST_WAITING = 1024;

  private final Turn turn;

  Queries(Turn turn) {
    this.turn = turn;
  }

  /**
   * Who has no place yet asks as soon as there is one: a peer that lives on its own looks for one.
   */
  void ask(OverlayNote.Search search) {
    turn.enterSettled();
    boolean waits = turn.settings.life().lives();
    Own own = turn.own;
    if (own.signature().isEmpty() || (turn.home().isEmpty() && !waits)) {
      turn.count("overlay-searched-too-early");
      turn.tell(
          new OverlayNote.Searched(
              search.number(), List.of(), Threshold.OPEN.value(), 0, Tally.NOTHING, 0));
      return;
    }
    QueryId id = new QueryId(turn.self(), search.number());
    Optional<Double> threshold =
        search.fresh() ? Optional.empty() : own.threshold().map(Threshold::value);
    Sought sought = new Sought(id, own.signature().get(), search.wanted(), search.rule());
    put(id, new Asked(sought, threshold, false, turn.tick));
    send(id);
    turn.alarm(UNANSWERED, search.number(), patience());
  }

  private void put(QueryId id, Asked asked) {
    turn.desk = turn.desk.asking(Rows.with(turn.desk.asked(), id, asked));
  }

  /** Sends a query on its way up where it has not gone and there is one. */
  private void send(QueryId id) {
    Asked asked = turn.desk.asked().get(id);
    Optional<Seat.Pointer> home = turn.home();
    if (asked == null || asked.sent() || home.isEmpty()) {
      return;
    }
    put(id, new Asked(asked.sought(), asked.threshold(), true, asked.since()));
    turn.send(
        pick(turn, home.get().replicas(), asked.sought().id()),
        new Rising(asked.sought(), home.get().cluster(), asked.threshold()));
  }

  /** Queries that waited for a place in the overlay go out where there is one by now. */
  void sendWaiting() {
    if (turn.desk.asked().values().stream().allMatch(Asked::sent)) {
      return;
    }
    turn.enterSettled();
    List.copyOf(turn.desk.asked().keySet()).forEach(this::send);
  }

  private long patience() {
    boolean lives = turn.settings.life().lives();
    return (lives ? SHORT_PATIENCE_HOPS : PATIENCE_HOPS) * turn.settings.hopTicks();
  }

  /** One of several that could do: itself if it can, else whose turn it is. */
  static PeerId pick(Turn turn, List<PeerId> replicas, QueryId id) {
    return replicas.get(first(turn.self(), replicas, id));
  }

  private static int first(PeerId self, List<PeerId> replicas, QueryId id) {
    int own = replicas.indexOf(self);
    return own < 0 ? id.turn(replicas.size()) : own;
  }

  /** Who comes after one that could not be reached; empty where all were tried. */
  static Optional<PeerId> after(PeerId self, List<PeerId> replicas, PeerId failed, QueryId id) {
    int next = (replicas.indexOf(failed) + 1) % replicas.size();
    return next == first(self, replicas, id) ? Optional.empty() : Optional.of(replicas.get(next));
  }

  void receive(PeerId from, SearchMessage message) {
    enter(message);
    switch (message) {
      case Rising rising -> rise(from, rising);
      case Refusal refusal -> notDelivered(from, refusal.refused());
      case Query query -> new Descents(turn).descend(from, query);
      case Compare compare -> compare(from, compare);
      case Compared compared -> new Descents(turn).compared(from, compared);
      case Answer answer -> answered(answer);
      case Branches branches -> new Entries(turn).heard(branches);
      case Found found -> found(found);
    }
  }

  /** A query keeps to the overlay in which it began, even if there is a newer one by now. */
  private void enter(SearchMessage message) {
    Optional<ClusterId> at =
        switch (message) {
          case Rising rising -> Optional.of(rising.at());
          case Query query -> Optional.of(query.at());
          case Compare compare -> Optional.of(compare.at());
          case Compared compared -> Optional.of(compared.at());
          case Answer answer -> Optional.of(answer.at());
          case Branches branches -> Optional.of(branches.at());
          case Refusal _, Found _ -> Optional.empty();
        };
    at.map(cluster -> cluster.zone().epoch()).filter(turn::knows).ifPresent(turn::enter);
  }

  /** Whether there is more to do than this peer takes on. */
  static boolean isBusy(Turn turn) {
    Desk desk = turn.desk;
    return desk.descents().size() + desk.entries().size() >= turn.settings.life().queries();
  }

  /** An answer is for the one who leads the query, unless this peer asked for it further down. */
  private void answered(Answer answer) {
    Entry entry = turn.desk.entries().get(answer.id());
    if (entry != null && entry.awaited().containsKey(answer.at())) {
      new Entries(turn).heard(answer);
    } else {
      new Descents(turn).heard(answer);
    }
  }

  private void rise(PeerId from, Rising rising) {
    Seat seat = turn.seat(rising.at());
    QueryId id = rising.sought().id();
    if (seat != null && seat.parent().isPresent()) {
      Seat.Pointer parent = seat.parent().get();
      turn.send(
          pick(turn, parent.replicas(), id),
          new Rising(rising.sought(), parent.cluster(), rising.threshold()));
    } else if (seat != null && !seat.roots().isEmpty()) {
      if (isBusy(turn) && !turn.desk.knows(id)) {
        refuse(from, rising);
      } else {
        new Entries(turn).enter(rising, seat);
      }
    } else if (turn.settings.life().lives() && (seat == null || turn.era().settled())) {
      refuse(from, rising);
    } else if (turn.desk.waiting().size() < MOST_WAITING) {
      waiting(Rows.with(turn.desk.waiting(), rising));
    } else {
      turn.count("overlay-query-dropped");
    }
  }

  void refuse(PeerId from, SearchMessage.Refusable message) {
    turn.count("overlay-query-refused");
    turn.send(from, new Refusal(message));
  }

  private void waiting(List<Rising> queries) {
    Desk desk = turn.desk;
    turn.desk = desk.keeping(queries);
  }

  /** Queries that waited for a pointer try again. */
  void resume() {
    List<Rising> queries = turn.desk.waiting();
    waiting(List.of());
    queries.forEach(each -> rise(each.sought().id().peer(), each));
  }

  private void compare(PeerId from, Compare compare) {
    float similarity =
        turn.own
            .signature()
            .filter(own -> own.dimension() == compare.signature().dimension())
            .map(own -> (float) compare.signature().cosine(own))
            .orElse(-1f);
    turn.send(from, new Compared(compare.id(), compare.at(), similarity));
  }

  private void found(Found found) {
    QueryId id = new QueryId(found.id().peer(), found.id().question());
    Asked asked = turn.desk.asked().get(id);
    if (asked == null) {
      return;
    }
    forget(id);
    Own own = turn.own;
    turn.own =
        new Own(
            own.signature(),
            own.least(),
            own.asked(),
            own.given(),
            Optional.of(new Threshold(Math.clamp(found.threshold(), -1.0, 1.0))),
            own.passed() + Math.clamp(found.tally().passed(), 0, found.tally().scored()),
            own.scored() + found.tally().scored());
    turn.tell(
        new OverlayNote.Searched(
            id.number(),
            found.candidates(),
            found.threshold(),
            found.attempts(),
            found.tally(),
            turn.tick - asked.since()));
  }

  private void forget(QueryId id) {
    Desk desk = turn.desk;
    turn.desk = desk.asking(Rows.without(desk.asked(), id));
  }

  /** Nobody waits for answers any more. */
  void abandon() {
    List.copyOf(turn.desk.asked().keySet()).forEach(this::giveUp);
    turn.desk = Desk.empty(turn.desk.nextAlarm());
  }

  /** Asks again where others may have taken over; nobody is left without an answer for ever. */
  void unanswered(long number) {
    QueryId id = new QueryId(turn.self(), number);
    Asked asked = turn.desk.asked().get(id);
    if (asked == null) {
      return;
    }
    turn.enterSettled();
    Sought sought = asked.sought();
    QueryId next = sought.id().again();
    if (!turn.settings.life().lives() || next.repetition() >= MOST_REPETITIONS) {
      giveUp(id);
      return;
    }
    turn.count("overlay-asked-again");
    put(
        id,
        new Asked(
            new Sought(next, sought.signature(), sought.wanted(), sought.rule()),
            asked.threshold(),
            false,
            asked.since()));
    send(id);
    turn.alarm(UNANSWERED, number, patience());
  }

  private void giveUp(QueryId id) {
    Asked asked = turn.desk.asked().get(id);
    if (asked != null) {
      forget(id);
      turn.count("overlay-unanswered");
      turn.tell(
          new OverlayNote.Searched(
              id.number(),
              List.of(),
              asked.threshold().orElse(Threshold.OPEN.value()),
              0,
              Tally.NOTHING,
              turn.tick - asked.since()));
    }
  }

  void notDelivered(PeerId to, SearchMessage message) {
    switch (message) {
      case Rising rising -> {
        enter(rising);
        QueryId id = rising.sought().id();
        holders(rising.at())
            .flatMap(holders -> after(turn.self(), holders, to, id))
            .ifPresentOrElse(next -> turn.send(next, rising), () -> enterHere(rising));
      }
      case Query query -> {
        enter(query);
        new Descents(turn).notDelivered(to, query);
      }
      case Compare compare -> new Descents(turn).gone(to, compare);
      default -> turn.count("overlay-not-delivered");
    }
  }

  /** Nobody above can be reached: better what is below than nothing. */
  private void enterHere(Rising rising) {
    Optional<Seat> seat =
        turn.seats().stream()
            .filter(
                each -> each.parent().filter(up -> up.cluster().equals(rising.at())).isPresent())
            .findFirst();
    if (seat.isPresent() && turn.settings.life().lives() && !isBusy(turn)) {
      turn.count("overlay-entered-below-the-top");
      new Entries(turn).enter(rising, seat.get().among(List.of(seat.get().cluster()), 0));
    } else {
      turn.count("overlay-query-dropped");
    }
  }

  /** Who holds a cluster that is above this peer. */
  private Optional<List<PeerId>> holders(ClusterId cluster) {
    Optional<Seat.Pointer> home = turn.home().filter(each -> each.cluster().equals(cluster));
    return home.or(
            () ->
                turn.seats().stream()
                    .flatMap(seat -> seat.parent().stream())
                    .filter(each -> each.cluster().equals(cluster))
                    .findFirst())
        .map(Seat.Pointer::replicas);
  }

  /** An entry or a descent whose answers are late goes on without them. */
  void late(long alarm) {
    if (!new Entries(turn).late(alarm)) {
      new Descents(turn).late(alarm);
    }
  }

  static long nextAlarm(Turn turn, int level) {
    long number = turn.desk.nextAlarm();
    Desk desk = turn.desk;
    turn.desk = desk.alarmed(number + 1);
    // Down and back, and those below must give up first.
    turn.alarm(ALARM, number, 4L * (level + 1) * turn.settings.hopTicks());
    return number;
  }

  /**
   * Prototypes compared with what is sought, the most alike first, ties by cluster. Nothing where
   * that is of another model: a scorer takes as much memory as the model has weights.
   */
  static List<Branch> scored(Turn turn, Signature sought, List<ClusterDescriptor> clusters) {
    if (!turn.isComparable(sought)) {
      turn.count(Clusters.OTHER_MODEL);
      return List.of();
    }
    List<ClusterDescriptor> comparable =
        clusters.stream()
            .filter(each -> each.prototype().dimension() == sought.dimension())
            .toList();
    double[] cosines =
        new SignatureScorer(sought.dimension())
            .cosines(sought, comparable.stream().map(ClusterDescriptor::prototype).toList());
    List<Branch> branches = new ArrayList<>();
    for (int i = 0; i < cosines.length; i++) {
      ClusterDescriptor each = comparable.get(i);
      branches.add(new Branch(each.id(), each.replicas(), (float) cosines[i]));
    }
    branches.sort(
        Comparator.comparingDouble(Branch::similarity).reversed().thenComparing(Branch::cluster));
    return branches;
  }

  static int passing(List<Branch> branches, double threshold) {
    int count = 0;
    for (Branch each : branches) {
      count += each.similarity() >= threshold ? 1 : 0;
    }
    return count;
  }

  /** The best of those that pass; where none does the best of all, so that no way is dead. */
  static List<Branch> chosen(List<Branch> sorted, double threshold, int most) {
    int passing = passing(sorted, threshold);
    return List.copyOf(sorted.subList(0, Math.min(most, passing == 0 ? sorted.size() : passing)));
  }

  static SortedMap<ClusterId, Branch> byCluster(List<Branch> branches) {
    SortedMap<ClusterId, Branch> map = new TreeMap<>();
    branches.forEach(each -> map.put(each.cluster(), each));
    return map;
  }
}
