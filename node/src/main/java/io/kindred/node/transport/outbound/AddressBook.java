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
 * Addresses of the other members. An address from the configuration comes first; all others are
 * signed by their members and passed on from node to node. A node that knows one member learns the
 * rest: each exchange returns the addresses that the caller does not know yet.
 */
public final class AddressBook {
  /** Addresses in one reply; the next exchange returns others. */
  static final int MAX_PER_REPLY = 64;

  /**
   * Largest number of signed addresses in the book; in a larger network a node knows only some of
   * the members.
   */
  static final int MAX_KNOWN = 10_000;

  /**
   * Bound on how far a member's clock may run ahead: an address from the far future could never be
   * replaced by a newer one.
   */
  private static final long MAX_CLOCK_SKEW_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final PeerId self;
  private final LongSupplier clockMillis;
  private final SortedMap<PeerId, InetSocketAddress> configured = new TreeMap<>();
  private final SortedMap<PeerId, SignedAddress> announced = new TreeMap<>();
  private final Predicate<SignedAddress> isTrusted;
  private int trustVersion;

  /** An empty book for the network of this identity. */
  public AddressBook(Identity identity) {
    this(
        identity.member().peer(),
        PeerTrustManager.addressVerifier(identity),
        System::currentTimeMillis);
  }

  public AddressBook(PeerId self, Predicate<SignedAddress> isTrusted, LongSupplier clockMillis) {
    this.self = self;
    this.isTrusted = isTrusted;
    this.clockMillis = clockMillis;
  }

  /** Adds the addresses of the configuration. */
  public synchronized void addConfigured(SortedMap<PeerId, InetSocketAddress> addresses) {
    configured.putAll(addresses);
  }

  synchronized Optional<InetSocketAddress> addressOf(PeerId peer) {
    InetSocketAddress fromConfiguration = configured.get(peer);
    SignedAddress fromMember = announced.get(peer);
    return fromConfiguration != null
        ? Optional.of(fromConfiguration)
        : Optional.ofNullable(fromMember)
            .filter(each -> each.relay().isEmpty())
            .map(each -> InetSocketAddress.createUnresolved(each.host(), each.port()));
  }

  /** The peer that relays messages to this member, if it has named one. */
  synchronized Optional<PeerId> relayOf(PeerId peer) {
    return configured.containsKey(peer)
        ? Optional.empty()
        : Optional.ofNullable(announced.get(peer)).flatMap(SignedAddress::relay);
  }

  /** All other members with a known address or relay. */
  public synchronized List<PeerId> known() {
    SortedMap<PeerId, Boolean> all = new TreeMap<>();
    configured.keySet().forEach(peer -> all.put(peer, true));
    announced.keySet().forEach(peer -> all.put(peer, true));
    all.remove(self);
    return List.copyOf(all.keySet());
  }

  /**
   * Keeps addresses that are newer than the known ones and signed by a trusted member; returns how
   * many.
   */
  int learn(List<SignedAddress> received) {
    int learned = 0;
    for (SignedAddress each : received) {
      int before = trustVersion();
      if (isNewer(each) && each.isSigned() && isTrusted.test(each) && keepIfNewer(each, before)) {
        learned++;
      }
    }
    return learned;
  }

  private synchronized int trustVersion() {
    return trustVersion;
  }

  /**
   * Keeps an address if it is still newer. An address that was verified with credentials that have
   * changed since is dropped; another exchange will bring it again.
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

  /** Keeps this node's own address, or one that is verified. */
  public synchronized void keep(SignedAddress each) {
    announced.put(each.member().peer(), each);
  }

  /**
   * Removes addresses of members that are no longer trusted, after the credentials have changed.
   * The lock is not held during verification, as thousands of certificates take a while and lookups
   * must go on.
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

  /**
   * Lists the known members and their timestamps, so that the other node can reply with newer
   * addresses.
   */
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

  /** Learns the caller's own address and replies with the addresses that the caller lacks. */
  public byte[] answerSync(byte[] request) throws MalformedException {
    WireInput in = new WireInput(request, digest -> null);
    List<SignedAddress> own = in.readByte() == 1 ? List.of(SignedAddress.read(in)) : List.of();
    SortedMap<PeerId, Long> knownTimestamps = new TreeMap<>();
    int count = in.readCount(2);
    if (count > MAX_KNOWN + 1) {
      throw new MalformedException(count + " known addresses in a request are too many");
    }
    for (int left = count; left > 0; left--) {
      knownTimestamps.put(new PeerId(in.readLong()), in.readLong());
    }
    learn(own);
    return encoded(newerThan(knownTimestamps));
  }

  private synchronized List<SignedAddress> newerThan(SortedMap<PeerId, Long> knownTimestamps) {
    List<SignedAddress> newer = new ArrayList<>();
    for (SignedAddress each : announced.values()) {
      Long timestamp = knownTimestamps.get(each.member().peer());
      if ((timestamp == null || timestamp < each.timestampMillis())
          && newer.size() < MAX_PER_REPLY) {
        newer.add(each);
      }
    }
    return newer;
  }

  private static byte[] encoded(List<SignedAddress> signedAddresses) {
    WireOutput out = new WireOutput(weights -> {});
    out.writeCount(signedAddresses.size());
    signedAddresses.forEach(each -> each.write(out));
    return out.toBytes();
  }

  /** Learns the addresses in a reply. */
  public int applySyncReply(byte[] reply) throws MalformedException {
    WireInput in = new WireInput(reply, digest -> null);
    List<SignedAddress> received = new ArrayList<>();
    for (int left = Math.min(MAX_PER_REPLY, in.readCount(1)); left > 0; left--) {
      received.add(SignedAddress.read(in));
    }
    return learn(received);
  }
}
