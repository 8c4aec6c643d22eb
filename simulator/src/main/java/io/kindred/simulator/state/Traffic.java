package io.kindred.simulator.state;

import io.kindred.core.peer.Message;
import io.kindred.core.record.Buildable;
import io.kindred.runtime.metrics.TrafficTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts sent and received bytes, per peer and in total, in true wire sizes. */
public final class Traffic {
  /**
   * One peer's totals so far.
   *
   * @param sendingTicks time on the air as the sender of radio transmissions, failed ones included
   * @param receivingTicks the same as the receiver for which they were meant
   */
  @Buildable
  public record Account(
      long sentControl,
      long sentModel,
      long receivedControl,
      long receivedModel,
      long modelsReceived,
      long sendingTicks,
      long receivingTicks) {
    static final Account ZERO = new Account(0, 0, 0, 0, 0, 0, 0);

    Account send(long control, long model) {
      return AccountBuilder.from(this)
          .sentControl(sentControl + control)
          .sentModel(sentModel + model)
          .build();
    }

    Account receive(long control, long model, long models) {
      return AccountBuilder.from(this)
          .receivedControl(receivedControl + control)
          .receivedModel(receivedModel + model)
          .modelsReceived(modelsReceived + models)
          .build();
    }

    Account transmit(long ticks) {
      return AccountBuilder.from(this).sendingTicks(sendingTicks + ticks).build();
    }

    Account listen(long ticks) {
      return AccountBuilder.from(this).receivingTicks(receivingTicks + ticks).build();
    }
  }

  /** The whole state, for a checkpoint. */
  record Snapshot(
      List<Account> accounts,
      long modelBytes,
      long controlBytes,
      long lostBytes,
      Searches searches,
      SortedMap<Integer, TrafficTotals> rounds) {}

  /** The number of searches, and the messages and bytes sent for them. */
  public record Searches(long queries, long messages, long bytes) {
    static final Searches NONE = new Searches(0, 0, 0);
  }

  private final List<Account> accounts;
  private final SortedMap<Integer, TrafficTotals> rounds;
  private long modelBytes;
  private long controlBytes;
  private long lostBytes;
  private Searches searches = Searches.NONE;

  public Traffic(int participants) {
    accounts = new ArrayList<>();
    for (int i = 0; i < participants; i++) {
      accounts.add(Account.ZERO);
    }
    rounds = new TreeMap<>();
  }

  public Traffic(Snapshot snapshot) {
    accounts = new ArrayList<>(snapshot.accounts());
    rounds = new TreeMap<>(snapshot.rounds());
    modelBytes = snapshot.modelBytes();
    controlBytes = snapshot.controlBytes();
    lostBytes = snapshot.lostBytes();
    searches = snapshot.searches();
  }

  /** Counts a message that is sent as a whole. */
  public void sent(Transfer transfer) {
    queued(transfer);
    sentBytes(transfer, transfer.controlBytes(), transfer.modelBytes());
  }

  /** Counts a message, but none of its bytes. */
  public void queued(Transfer transfer) {
    if (isSearch(transfer)) {
      searches = new Searches(searches.queries(), searches.messages() + 1, searches.bytes());
    }
  }

  private static boolean isSearch(Transfer transfer) {
    return transfer.message().category() == Message.Category.SEARCH;
  }

  private void sentBytes(Transfer transfer, long control, long model) {
    accounts.set(transfer.from(), accounts.get(transfer.from()).send(control, model));
    controlBytes += control;
    modelBytes += model;
    if (isSearch(transfer)) {
      searches = new Searches(searches.queries(), searches.messages(), searches.bytes() + control);
    }
  }

  /**
   * Counts the transmission of a part of a message by radio.
   *
   * @param from the part's first byte in the message, whose control bytes come first
   */
  public void transmitted(Transfer transfer, long from, long bytes, long airTicks) {
    long control = Math.clamp(transfer.controlBytes() - from, 0, bytes);
    sentBytes(transfer, control, bytes - control);
    accounts.set(transfer.from(), accounts.get(transfer.from()).transmit(airTicks));
    accounts.set(transfer.to(), accounts.get(transfer.to()).listen(airTicks));
  }

  public void received(Transfer transfer) {
    Account receiver = accounts.get(transfer.to());
    accounts.set(
        transfer.to(),
        receiver.receive(transfer.controlBytes(), transfer.modelBytes(), transfer.modelCount()));
  }

  /** Counts bytes that were sent and serve nothing. */
  public void lost(long bytes) {
    lostBytes += bytes;
  }

  public void searchCompleted() {
    searches = new Searches(searches.queries() + 1, searches.messages(), searches.bytes());
  }

  public Searches searches() {
    return searches;
  }

  /** Bytes that were sent and never arrived. */
  public long lostBytes() {
    return lostBytes;
  }

  public void roundObserved(int round, long tick) {
    rounds.put(round, totals(tick));
  }

  public Account account(int peer) {
    return accounts.get(peer);
  }

  public TrafficTotals totals(long tick) {
    return new TrafficTotals(modelBytes, controlBytes, tick);
  }

  /** The totals at the last observation of each round. */
  public SortedMap<Integer, TrafficTotals> rounds() {
    return rounds;
  }

  public Snapshot snapshot() {
    return new Snapshot(
        List.copyOf(accounts),
        modelBytes,
        controlBytes,
        lostBytes,
        searches,
        new TreeMap<>(rounds));
  }
}
