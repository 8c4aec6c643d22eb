package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.overlay.OverlayState.Desk;
import io.kindred.protocol.overlay.SearchMessage.Answer;
import io.kindred.protocol.overlay.SearchMessage.Branch;
import io.kindred.protocol.overlay.SearchMessage.Branches;
import io.kindred.protocol.overlay.SearchMessage.Compare;
import io.kindred.protocol.overlay.SearchMessage.Compared;
import io.kindred.protocol.overlay.SearchMessage.Query;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a super-peer does with a query on its way down, and with the answers on their way up. */
final class Descents {
  private final Turn turn;

  Descents(Turn turn) {
    this.turn = turn;
  }

  void descend(PeerId from, Query query) {
    Seat seat = turn.seat(query.at());
    Descent.Key key = new Descent.Key(query.sought().id(), query.at());
    Descent known = turn.desk.descents().get(key);
    if (isRepeated(from, key, query.attempt())) {
      // It came twice, perhaps after the answer to the first, which is not empty: one that is, or a
      // refusal, could overtake it.
      turn.count("overlay-query-repeated");
    } else if (turn.settings.life().lives()
        && known == null
        && (seat == null || Queries.isBusy(turn))) {
      new Queries(turn).refuse(from, query);
    } else if (seat == null || known != null) {
      turn.count(seat == null ? "overlay-no-such-seat" : "overlay-query-repeated");
      answer(from, query, List.of(), Tally.NOTHING);
    } else if (query.at().level() == 1) {
      compareAll(from, query, seat);
    } else {
      passOn(from, query, seat);
    }
  }

  private boolean isRepeated(PeerId from, Descent.Key key, int attempt) {
    Descent open = turn.desk.descents().get(key);
    return (open != null && open.replyTo().equals(from) && open.query().attempt() >= attempt)
        || turn.desk.seen().stream()
            .anyMatch(each -> each.isOf(key, from) && each.attempt() >= attempt);
  }

  private void saw(PeerId from, Descent.Key key, int attempt) {
    turn.desk = turn.desk.seeing(new Descent.Seen(key, from, attempt));
  }

  private void passOn(PeerId from, Query query, Seat seat) {
    List<Branch> branches = Queries.scored(turn, query.sought().signature(), seat.children());
    Tally tally = Tally.visit(branches.size(), Queries.passing(branches, query.threshold()));
    QueryId id = query.sought().id();
    if (query.sought().rule().reading() == SearchRule.Reading.LEVEL) {
      turn.send(from, new Branches(id, query.at(), query.attempt(), branches, tally));
      return;
    }
    saw(from, new Descent.Key(id, query.at()), query.attempt());
    int most = Math.min(query.sought().rule().beam(), query.visits() - 1);
    List<Branch> chosen = Queries.chosen(branches, query.threshold(), Math.max(0, most));
    SortedMap<ClusterId, Branch> awaited = Queries.byCluster(chosen);
    settle(
        new Descent(
            from, query, awaited, List.of(), List.of(), tally, alarm(query, chosen.isEmpty())));
    int share =
        query.visits() == Integer.MAX_VALUE
            ? Integer.MAX_VALUE
            : Math.max(1, (query.visits() - 1) / Math.max(1, chosen.size()));
    for (Branch each : chosen) {
      turn.send(
          Queries.pick(turn, each.replicas(), id),
          new Query(query.sought(), each.cluster(), query.threshold(), query.attempt(), share));
    }
  }

  private long alarm(Query query, boolean needless) {
    return needless ? -1 : Queries.nextAlarm(turn, query.at().level());
  }

  /** Peers compare themselves; a query that came before has their answers already. */
  private void compareAll(PeerId from, Query query, Seat seat) {
    QueryId id = query.sought().id();
    Descent.Key key = new Descent.Key(id, query.at());
    if (turn.desk.seen().stream().anyMatch(each -> each.key().equals(key))) {
      answer(from, query, List.of(), Tally.NOTHING);
      return;
    }
    saw(from, key, query.attempt());
    List<PeerId> others = seat.members().stream().filter(peer -> !peer.equals(id.peer())).toList();
    settle(
        new Descent(
            from,
            query,
            new TreeMap<>(),
            others,
            List.of(),
            Tally.visit(0, 0),
            alarm(query, others.isEmpty())));
    Compare compare = new Compare(id, query.at(), query.sought().signature());
    others.forEach(peer -> turn.send(peer, compare));
  }

  /** Answers if all have, else waits on. */
  private void settle(Descent descent) {
    Query query = descent.query();
    Descent.Key key = new Descent.Key(query.sought().id(), query.at());
    Desk desk = turn.desk;
    turn.desk =
        desk.descending(
            descent.done()
                ? Rows.without(desk.descents(), key)
                : Rows.with(desk.descents(), key, descent));
    if (descent.done()) {
      answer(descent.replyTo(), query, descent.candidates(), descent.tally());
    }
  }

  private void answer(PeerId to, Query query, List<Candidate> candidates, Tally tally) {
    turn.send(to, new Answer(query.sought().id(), query.at(), query.attempt(), candidates, tally));
  }

  void compared(PeerId from, Compared compared) {
    Descent descent = turn.desk.descents().get(new Descent.Key(compared.id(), compared.at()));
    if (descent != null && descent.peers().contains(from)) {
      settle(descent.compared(from, compared.similarity()));
    }
  }

  /** A peer of the cluster that could not be reached. */
  void gone(PeerId peer, Compare compare) {
    Descent descent = turn.desk.descents().get(new Descent.Key(compare.id(), compare.at()));
    if (descent != null && descent.peers().contains(peer)) {
      settle(descent.withoutPeer(peer));
    }
  }

  void heard(Answer answer) {
    awaiting(answer.id(), answer.at())
        .filter(descent -> descent.query().attempt() == answer.attempt())
        .ifPresent(descent -> settle(descent.heard(answer)));
  }

  /** The descent that waits for a cluster: the one at the cluster above. */
  private Optional<Descent> awaiting(QueryId id, ClusterId below) {
    return turn.desk.descents().values().stream()
        .filter(each -> each.query().sought().id().equals(id))
        .filter(each -> each.clusters().containsKey(below))
        .findFirst();
  }

  void notDelivered(PeerId to, Query query) {
    if (new Entries(turn).notDelivered(to, query)) {
      return;
    }
    QueryId id = query.sought().id();
    Optional<Descent> waiting = awaiting(id, query.at());
    if (waiting.isEmpty()) {
      return;
    }
    Descent descent = waiting.get();
    Branch branch = descent.clusters().get(query.at());
    if (branch != null) {
      Queries.after(turn.self(), branch.replicas(), to, id)
          .ifPresentOrElse(
              next -> turn.send(next, query),
              () -> settle(descent.with(Rows.without(descent.clusters(), query.at()))));
    }
  }

  void late(long alarm) {
    for (Descent descent : turn.desk.descents().values()) {
      if (descent.alarm() == alarm) {
        turn.count("overlay-answers-missing");
        settle(descent.givenUp());
        return;
      }
    }
  }
}
