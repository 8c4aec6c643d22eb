package io.kindred.node.transport;

import io.kindred.core.PeerId;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Statement;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Where others are. The operator's word counts for those whom the configuration names; of all
 * others it holds what they signed themselves and somebody passed on. A node that knows one member
 * gets to know the rest: each call brings what the caller does not know yet.
 */
public final class AddressBook {
  /** Members whose addresses one call carries; the next call carries others. */
  static final int MOST_AT_ONCE = 64;

  /** Members that are remembered; a network of more gets by with these. */
  static final int MOST_KNOWN = 10_000;

  /** How far ahead a member's clock may be: a word from the far future would be its last. */
  private static final long MOST_MILLIS_AHEAD = TimeUnit.HOURS.toMillis(1);

  private final PeerId self;
  private final LongSupplier millis;
  private final SortedMap<PeerId, InetSocketAddress> named = new TreeMap<>();
  private final SortedMap<PeerId, Statement> stated = new TreeMap<>();
  private final Predicate<Statement> vouchedFor;
  private int checks;

  /** An empty book for members of this one's network. */
  public AddressBook(Identity identity) {
    this(identity.member().peer(), Gatekeeper.members(identity), System::currentTimeMillis);
  }

  AddressBook(PeerId self, Predicate<Statement> vouchedFor, LongSupplier millis) {
    this.self = self;
    this.vouchedFor = vouchedFor;
    this.millis = millis;
  }

  /** What the configuration says. */
  public synchronized void name(SortedMap<PeerId, InetSocketAddress> addresses) {
    named.putAll(addresses);
  }

  synchronized Optional<InetSocketAddress> find(PeerId peer) {
    InetSocketAddress told = named.get(peer);
    Statement said = stated.get(peer);
    return told != null
        ? Optional.of(told)
        : Optional.ofNullable(said)
            .filter(each -> each.relay().isEmpty())
            .map(each -> InetSocketAddress.createUnresolved(each.host(), each.port()));
  }

  /** Who hands on messages to one that nobody can connect to. */
  synchronized Optional<PeerId> relayOf(PeerId peer) {
    return named.containsKey(peer)
        ? Optional.empty()
        : Optional.ofNullable(stated.get(peer)).flatMap(Statement::relay);
  }

  /** Everybody of whom an address is known. */
  public synchronized List<PeerId> known() {
    SortedMap<PeerId, Boolean> all = new TreeMap<>();
    named.keySet().forEach(peer -> all.put(peer, true));
    stated.keySet().forEach(peer -> all.put(peer, true));
    all.remove(self);
    return List.copyOf(all.keySet());
  }

  /** Takes what is newer than what is known and signed by a member; answers how many that were. */
  int learn(List<Statement> heard) {
    int news = 0;
    for (Statement each : heard) {
      int before = checks();
      if (isNews(each) && each.isSigned() && vouchedFor.test(each) && keepNews(each, before)) {
        news++;
      }
    }
    return news;
  }

  private synchronized int checks() {
    return checks;
  }

  /**
   * Keeps what is still news. What was vouched for by papers that have changed meanwhile is not
   * kept: somebody will say it again.
   */
  private synchronized boolean keepNews(Statement each, int before) {
    if (checks != before || !isNews(each)) {
      return false;
    }
    keep(each);
    return true;
  }

  private synchronized boolean isNews(Statement each) {
    if (each.stamp() > millis.getAsLong() + MOST_MILLIS_AHEAD) {
      return false;
    }
    Statement known = stated.get(each.member().peer());
    return known == null ? stated.size() < MOST_KNOWN : known.stamp() < each.stamp();
  }

  /** What this node says itself, or what was checked. */
  public synchronized void keep(Statement each) {
    stated.put(each.member().peer(), each);
  }

  /**
   * Forgets what those said who no longer count, as papers have changed. Looking at thousands of
   * certificates takes a while, in which others may look up addresses.
   */
  public void checkAgain() {
    for (Statement each : toCheck()) {
      if (!each.member().peer().equals(self) && !vouchedFor.test(each)) {
        forget(each);
      }
    }
  }

  private synchronized List<Statement> toCheck() {
    checks++;
    return List.copyOf(stated.values());
  }

  private synchronized void forget(Statement each) {
    stated.remove(each.member().peer(), each);
  }

  /** What this node knows and how new that is: the other one answers with what is newer. */
  synchronized byte[] question() {
    WireOutput out = new WireOutput(weights -> {});
    Optional.ofNullable(stated.get(self))
        .ifPresentOrElse(
            own -> {
              out.writeByte(1);
              own.write(out);
            },
            () -> out.writeByte(0));
    out.writeCount(stated.size());
    stated.forEach(
        (peer, each) -> {
          out.writeLong(peer.number());
          out.writeLong(each.stamp());
        });
    return out.toBytes();
  }

  /** Learns where the asker is and answers with what it does not know. */
  byte[] answer(byte[] question) throws MalformedException {
    WireInput in = new WireInput(question, digest -> null);
    List<Statement> own = in.readByte() == 1 ? List.of(Statement.read(in)) : List.of();
    SortedMap<PeerId, Long> knows = new TreeMap<>();
    int count = in.readCount(2);
    if (count > MOST_KNOWN + 1) {
      throw new MalformedException(count + " addresses that somebody knows");
    }
    for (int left = count; left > 0; left--) {
      knows.put(new PeerId(in.readLong()), in.readLong());
    }
    learn(own);
    return encoded(newerThan(knows));
  }

  private synchronized List<Statement> newerThan(SortedMap<PeerId, Long> knows) {
    List<Statement> news = new ArrayList<>();
    for (Statement each : stated.values()) {
      Long stamp = knows.get(each.member().peer());
      if ((stamp == null || stamp < each.stamp()) && news.size() < MOST_AT_ONCE) {
        news.add(each);
      }
    }
    return news;
  }

  private static byte[] encoded(List<Statement> statements) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeCount(statements.size());
    statements.forEach(each -> each.write(out));
    return out.toBytes();
  }

  /** Learns from an answer. */
  int hear(byte[] answer) throws MalformedException {
    WireInput in = new WireInput(answer, digest -> null);
    List<Statement> heard = new ArrayList<>();
    for (int left = Math.min(MOST_AT_ONCE, in.readCount(1)); left > 0; left--) {
      heard.add(Statement.read(in));
    }
    return learn(heard);
  }
}
