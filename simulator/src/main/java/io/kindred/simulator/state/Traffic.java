package io.kindred.simulator.state;

import io.kindred.core.peer.Message;
import io.kindred.runtime.metrics.TrafficTotals;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Counts sent and received bytes, per peer and in total, in true wire sizes. */
public final class Traffic {
  /**
   * One peer's totals so far.
   *
   * @param sendingTicks time on the air as the sender of radio transmissions, failed ones included
   * @param receivingTicks the same as the receiver for which they were meant
   */
  public record Account(
      long sentControl,
      long sentModel,
      long receivedControl,
      long receivedModel,
      long modelsReceived,
      long sendingTicks,
      long receivingTicks) {}

  /** The components of an account. */
  private enum Column {
    SENT_CONTROL,
    SENT_MODEL,
    RECEIVED_CONTROL,
    RECEIVED_MODEL,
    MODELS_RECEIVED,
    SENDING_TICKS,
    RECEIVING_TICKS
  }

  private static final int COLUMNS = Column.values().length;

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

  // A row of columns for each participant: a record for each message would be garbage at once.
  private final long[] accounts;
  private final SortedMap<Integer, TrafficTotals> rounds;
  private long modelBytes;
  private long controlBytes;
  private long lostBytes;
  private Searches searches = Searches.NONE;

  public Traffic(int participants) {
    accounts = new long[participants * COLUMNS];
    rounds = new TreeMap<>();
  }

  public Traffic(Snapshot snapshot) {
    accounts = new long[snapshot.accounts().size() * COLUMNS];
    for (int peer = 0; peer < snapshot.accounts().size(); peer++) {
      Account account = snapshot.accounts().get(peer);
      add(peer, Column.SENT_CONTROL, account.sentControl());
      add(peer, Column.SENT_MODEL, account.sentModel());
      add(peer, Column.RECEIVED_CONTROL, account.receivedControl());
      add(peer, Column.RECEIVED_MODEL, account.receivedModel());
      add(peer, Column.MODELS_RECEIVED, account.modelsReceived());
      add(peer, Column.SENDING_TICKS, account.sendingTicks());
      add(peer, Column.RECEIVING_TICKS, account.receivingTicks());
    }
    rounds = new TreeMap<>(snapshot.rounds());
    modelBytes = snapshot.modelBytes();
    controlBytes = snapshot.controlBytes();
    lostBytes = snapshot.lostBytes();
    searches = snapshot.searches();
  }

  private void add(int peer, Column column, long amount) {
    accounts[peer * COLUMNS + column.ordinal()] += amount;
  }

  private long total(int peer, Column column) {
    return accounts[peer * COLUMNS + column.ordinal()];
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
    add(transfer.from(), Column.SENT_CONTROL, control);
    add(transfer.from(), Column.SENT_MODEL, model);
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
    add(transfer.from(), Column.SENDING_TICKS, airTicks);
    add(transfer.to(), Column.RECEIVING_TICKS, airTicks);
  }

  public void received(Transfer transfer) {
    add(transfer.to(), Column.RECEIVED_CONTROL, transfer.controlBytes());
    add(transfer.to(), Column.RECEIVED_MODEL, transfer.modelBytes());
    add(transfer.to(), Column.MODELS_RECEIVED, transfer.modelCount());
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
    return new Account(
        total(peer, Column.SENT_CONTROL),
        total(peer, Column.SENT_MODEL),
        total(peer, Column.RECEIVED_CONTROL),
        total(peer, Column.RECEIVED_MODEL),
        total(peer, Column.MODELS_RECEIVED),
        total(peer, Column.SENDING_TICKS),
        total(peer, Column.RECEIVING_TICKS));
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
        IntStream.range(0, accounts.length / COLUMNS).mapToObj(this::account).toList(),
        modelBytes,
        controlBytes,
        lostBytes,
        searches,
        new TreeMap<>(rounds));
  }
}
