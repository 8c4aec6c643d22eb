package io.kindred.node.transport.outbound;

import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.transport.tls.PeerTrustManager;
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
  static final int MAX_PER_REPLY = 64;

  /** Members that are remembered; a network of more gets by with these. */
  static final int MAX_KNOWN = 10_000;

  /** How far ahead a member's clock may be: a word from the far future would be its last. */
  private static final long MAX_CLOCK_SKEW_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final PeerId self;
  private final LongSupplier clockMillis;
  private final SortedMap<PeerId, InetSocketAddress> configured = new TreeMap<>();
  private final SortedMap<PeerId, SignedAddress> announced = new TreeMap<>();
  private final Predicate<SignedAddress> isTrusted;
  private int trustVersion;

  /** An empty book for members of this one's network. */
  public AddressBook(Identity identity) {
    this(
        identity.member().peer(),
        PeerTrustManager.addressVerifier(identity),
        System::currentTimeMillis);
  }

  public AddressBook(PeerId self, Predicate<SignedAddress> vouchedFor, LongSupplier millis) {
    this.self = self;
    this.isTrusted = vouchedFor;
    this.clockMillis = millis;
  }

  /** What the configuration says. */
  public synchronized void addConfigured(SortedMap<PeerId, InetSocketAddress> addresses) {
    configured.putAll(addresses);
  }

  synchronized Optional<InetSocketAddress> addressOf(PeerId peer) {
    InetSocketAddress told = configured.get(peer);
    SignedAddress said = announced.get(peer);
    return told != null
        ? Optional.of(told)
        : Optional.ofNullable(said)
            .filter(each -> each.relay().isEmpty())
            .map(each -> InetSocketAddress.createUnresolved(each.host(), each.port()));
  }

  /** Who hands on messages to one that nobody can connect to. */
  synchronized Optional<PeerId> relayOf(PeerId peer) {
    return configured.containsKey(peer)
        ? Optional.empty()
        : Optional.ofNullable(announced.get(peer)).flatMap(SignedAddress::relay);
  }

  /** Everybody of whom an address is known. */
  public synchronized List<PeerId> known() {
    SortedMap<PeerId, Boolean> all = new TreeMap<>();
    configured.keySet().forEach(peer -> all.put(peer, true));
    announced.keySet().forEach(peer -> all.put(peer, true));
    all.remove(self);
    return List.copyOf(all.keySet());
  }

  /** Takes what is newer than what is known and signed by a member; answers how many that were. */
  int learn(List<SignedAddress> heard) {
    int news = 0;
    for (SignedAddress each : heard) {
      int before = trustVersion();
      if (isNewer(each) && each.isSigned() && isTrusted.test(each) && keepIfNewer(each, before)) {
        news++;
      }
    }
    return news;
  }

  private synchronized int trustVersion() {
    return trustVersion;
  }

  /**
   * Keeps what is still news. What was vouched for by papers that have changed meanwhile is not
   * kept: somebody will say it again.
   */
  private synchronized boolean keepIfNewer(SignedAddress each, int before) {
    if (trustVersion != before || !isNewer(each)) {
      return false;
    }
    keep(each);
    return true;
  }

  private synchronized boolean isNewer(SignedAddress each) {
    if (each.timestampMillis() > clockMillis.getAsLong() + MAX_CLOCK_SKEW_MILLIS) {
      return false;
    }
    SignedAddress known = announced.get(each.member().peer());
    return known == null
        ? announced.size() < MAX_KNOWN
        : known.timestampMillis() < each.timestampMillis();
  }

  /** What this node says itself, or what was checked. */
  public synchronized void keep(SignedAddress each) {
    announced.put(each.member().peer(), each);
  }

  /**
   * Forgets what those said who no longer count, as papers have changed. Looking at thousands of
   * certificates takes a while, in which others may look up addresses.
   */
  public void recheckTrust() {
    for (SignedAddress each : beginRecheck()) {
      if (!each.member().peer().equals(self) && !isTrusted.test(each)) {
        forget(each);
      }
    }
  }

  private synchronized List<SignedAddress> beginRecheck() {
    trustVersion++;
    return List.copyOf(announced.values());
  }

  private synchronized void forget(SignedAddress each) {
    announced.remove(each.member().peer(), each);
  }

  /** What this node knows and how new that is: the other one answers with what is newer. */
  public synchronized byte[] syncRequest() {
    WireOutput out = new WireOutput(weights -> {});
    Optional.ofNullable(announced.get(self))
        .ifPresentOrElse(
            own -> {
              out.writeByte(1);
              own.write(out);
            },
            () -> out.writeByte(0));
    out.writeCount(announced.size());
    announced.forEach(
        (peer, each) -> {
          out.writeLong(peer.number());
          out.writeLong(each.timestampMillis());
        });
    return out.toBytes();
  }

  /** Learns where the asker is and answers with what it does not know. */
  public byte[] answerSync(byte[] question) throws MalformedException {
    WireInput in = new WireInput(question, digest -> null);
    List<SignedAddress> own = in.readByte() == 1 ? List.of(SignedAddress.read(in)) : List.of();
    SortedMap<PeerId, Long> knows = new TreeMap<>();
    int count = in.readCount(2);
    if (count > MAX_KNOWN + 1) {
      throw new MalformedException(count + " addresses that somebody knows");
    }
    for (int left = count; left > 0; left--) {
      knows.put(new PeerId(in.readLong()), in.readLong());
    }
    learn(own);
    return encoded(newerThan(knows));
  }

  private synchronized List<SignedAddress> newerThan(SortedMap<PeerId, Long> knows) {
    List<SignedAddress> news = new ArrayList<>();
    for (SignedAddress each : announced.values()) {
      Long stamp = knows.get(each.member().peer());
      if ((stamp == null || stamp < each.timestampMillis()) && news.size() < MAX_PER_REPLY) {
        news.add(each);
      }
    }
    return news;
  }

  private static byte[] encoded(List<SignedAddress> signedAddresses) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeCount(signedAddresses.size());
    signedAddresses.forEach(each -> each.write(out));
    return out.toBytes();
  }

  /** Learns from an answer. */
  public int applySyncReply(byte[] answer) throws MalformedException {
    WireInput in = new WireInput(answer, digest -> null);
    List<SignedAddress> heard = new ArrayList<>();
    for (int left = Math.min(MAX_PER_REPLY, in.readCount(1)); left > 0; left--) {
      heard.add(SignedAddress.read(in));
    }
    return learn(heard);
  }
}
