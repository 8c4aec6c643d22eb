package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.overlay.OverlayState.Desk;
import io.kindred.protocol.overlay.SearchMessage.Answer;
import io.kindred.protocol.overlay.SearchMessage.Branch;
import io.kindred.protocol.overlay.SearchMessage.Branches;
import io.kindred.protocol.overlay.SearchMessage.Found;
import io.kindred.protocol.overlay.SearchMessage.Query;
import io.kindred.protocol.overlay.SearchMessage.Rising;
import io.kindred.protocol.overlay.SearchMessage.Sought;
import io.kindred.protocol.search.Threshold;
import io.kindred.protocol.signatures.QuantileSketch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * What the top super-peer does that a query reached. With a beam per super-peer it sends the query
 * down the hierarchy and merges what comes back. With a beam per level it leads the query itself,
 * level by level: only whoever sees all branches of a level can keep the best of them. Too few
 * candidates: the threshold is relaxed and the descent tried again, in the second case only where
 * it has not been (section 3.5).
 */
final class Entries {
  private final Turn turn;

  Entries(Turn turn) {
    this.turn = turn;
  }

  void enter(Rising rising, Seat seat) {
    Sought sought = rising.sought();
    if (turn.desk.knows(sought.id())) {
      // It came twice, perhaps after the end: led again it would find nothing that is new, and that
      // could overtake what was found.
      turn.count("overlay-query-repeated");
      return;
    }
    List<Branch> roots =
        Queries.scored(turn, sought.signature(), List.copyOf(seat.roots().values()));
    double threshold = rising.threshold().orElseGet(() -> estimate(sought, seat, roots));
    Tally tally = Tally.visit(roots.size(), Queries.passing(roots, threshold));
    advance(Entry.of(sought, seat.cluster().zone().level(), threshold, roots, tally));
  }

  /** For a peer that has not searched yet: what the wanted share of the prototypes here passes. */
  private double estimate(Sought sought, Seat seat, List<Branch> roots) {
    List<Branch> known = new ArrayList<>(roots);
    known.addAll(Queries.scored(turn, sought.signature(), seat.children()));
    QuantileSketch seen = QuantileSketch.empty();
    for (Branch each : known) {
      seen = Threshold.observe(seen, each.similarity());
    }
    return Threshold.initial(seen, turn.settings.threshold()).value();
  }

  private void put(Entry entry) {
    Desk desk = turn.desk;
    turn.desk = desk.leading(Rows.with(desk.entries(), entry.sought().id(), entry));
  }

  /** Asks the next clusters, or ends the attempt where there are none. */
  private void advance(Entry entry) {
    Entry now = entry;
    while (true) {
      Entry asking = next(now);
      if (!asking.awaited().isEmpty()) {
        send(asking);
        return;
      }
      if (asking.level() > 1 && isLed(asking)) {
        now = asking.asking(asking.level() - 1, asking.open(), asking.awaited());
      } else if (goesOn(asking)) {
        now = asking.again(relaxed(asking));
      } else {
        finish(asking);
        return;
      }
    }
  }

  private static boolean isLed(Entry entry) {
    return entry.sought().rule().reading() == SearchRule.Reading.LEVEL;
  }

  /** With whom it goes on at its level; nobody if the visits are spent or nothing is open. */
  private static Entry next(Entry entry) {
    int most = Math.min(entry.sought().rule().beam(), entry.visitsLeft());
    if (!isLed(entry)) {
      // Top clusters are asked once in an attempt.
      List<Branch> chosen =
          entry.fruitful() ? List.of() : Queries.chosen(entry.open(), entry.threshold(), most);
      return entry.asking(entry.level(), entry.open(), Queries.byCluster(chosen));
    }
    List<Branch> here = new ArrayList<>();
    List<Branch> elsewhere = new ArrayList<>();
    for (Branch each : entry.open()) {
      (each.cluster().level() == entry.level() ? here : elsewhere).add(each);
    }
    here.sort(
        Comparator.comparingDouble(Branch::similarity).reversed().thenComparing(Branch::cluster));
    boolean none = Queries.passing(here, entry.threshold()) == 0;
    List<Branch> chosen =
        none && entry.attempt() > 0 ? List.of() : Queries.chosen(here, entry.threshold(), most);
    elsewhere.addAll(here.subList(chosen.size(), here.size()));
    return entry.asking(entry.level(), List.copyOf(elsewhere), Queries.byCluster(chosen));
  }

  private void send(Entry entry) {
    QueryId id = entry.sought().id();
    put(entry.watched(Queries.nextAlarm(turn, entry.depth() + 1)));
    int share =
        isLed(entry) || entry.visitsLeft() == Integer.MAX_VALUE
            ? Integer.MAX_VALUE
            : Math.max(1, entry.visitsLeft() / entry.awaited().size());
    for (Branch each : entry.awaited().values()) {
      turn.send(
          Queries.pick(turn, each.replicas(), id),
          new Query(entry.sought(), each.cluster(), entry.threshold(), entry.attempt(), share));
    }
  }

  /** Too few pass, and there is something left to relax, to visit and to find. */
  private static boolean goesOn(Entry entry) {
    boolean exhausted = isLed(entry) && entry.open().isEmpty();
    return !exhausted
        && new Threshold(entry.threshold())
            .triesAgain(entry.accepted(), entry.sought().wanted(), entry.visitsLeft());
  }

  /**
   * Lower by as many steps as let the wanted number of the candidates known so far pass; where
   * there are not that many, by twice as many steps as the last time.
   */
  private double relaxed(Entry entry) {
    int wanted = entry.sought().wanted();
    double step = turn.settings.threshold().relaxation();
    double steps = 1L << Math.min(entry.attempt(), 30);
    if (entry.candidates().size() >= wanted) {
      double least = entry.candidates().get(wanted - 1).similarity();
      steps = Math.max(1, Math.ceil((entry.threshold() - least) / step));
    }
    return Math.max(Threshold.OPEN.value(), entry.threshold() - steps * step);
  }

  private void finish(Entry entry) {
    QueryId id = entry.sought().id();
    turn.desk = turn.desk.finishing(id);
    turn.send(
        id.peer(),
        new Found(id, entry.candidates(), entry.threshold(), entry.attempt() + 1, entry.tally()));
  }

  void heard(Answer answer) {
    Entry entry = turn.desk.entries().get(answer.id());
    if (entry != null && entry.isAwaiting(answer.at(), answer.attempt())) {
      goOn(entry.heard(answer));
    }
  }

  void heard(Branches branches) {
    Entry entry = turn.desk.entries().get(branches.id());
    if (entry != null && entry.isAwaiting(branches.at(), branches.attempt())) {
      goOn(entry.heard(branches));
    }
  }

  private void goOn(Entry entry) {
    if (!entry.awaited().isEmpty()) {
      put(entry);
    } else if (isLed(entry) && entry.level() > 1) {
      advance(entry.asking(entry.level() - 1, entry.open(), entry.awaited()));
    } else if (goesOn(entry)) {
      advance(entry.again(relaxed(entry)));
    } else {
      finish(entry);
    }
  }

  boolean late(long alarm) {
    for (Entry entry : turn.desk.entries().values()) {
      if (entry.alarm() == alarm) {
        turn.count("overlay-answers-missing");
        goOn(entry.with(new TreeMap<>()));
        return true;
      }
    }
    return false;
  }

  /** Tries who else holds the cluster; false where this peer does not lead the query. */
  boolean notDelivered(PeerId to, Query query) {
    Entry entry = turn.desk.entries().get(query.sought().id());
    Branch branch = entry == null ? null : entry.awaited().get(query.at());
    if (entry == null || branch == null) {
      return false;
    }
    Queries.after(turn.self(), branch.replicas(), to, query.sought().id())
        .ifPresentOrElse(
            next -> turn.send(next, query),
            () -> goOn(entry.with(Rows.without(entry.awaited(), query.at()))));
    return true;
  }
}
