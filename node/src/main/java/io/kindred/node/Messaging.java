package io.kindred.node;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.node.identity.ElectionCertificates;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.RevocationBook;
import io.kindred.node.log.NodeLog;
import io.kindred.node.measure.NodeMeasurements;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.inbound.AbusePolicy;
import io.kindred.node.transport.inbound.InboundContext;
import io.kindred.node.transport.inbound.Inbox;
import io.kindred.node.transport.inbound.MessageReceiver;
import io.kindred.node.transport.outbound.AddressBook;
import io.kindred.node.transport.outbound.Outbox;
import io.kindred.node.transport.relay.RelayClient;
import io.kindred.node.transport.relay.RelayServer;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.wire.Wire;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends and receives a node's messages: inbox, outbox, relay client and address book. */
final class Messaging implements AutoCloseable {
  /** A message as it is sent, with its sizes. */
  record EncodedMessage(
      Wire.Encoded encoded, int controlBytes, long modelBytes, List<X509Certificate> certificates) {
    EncodedMessage {
      certificates = List.copyOf(certificates);
    }
  }

  /** Members that get a new revocation list at once; they pass it on in the same way. */
  private static final int REVOCATION_FAN_OUT = 8;

  /** Members that learn of a new relay at once; the others learn of it by exchanges. */
  private static final int RELAY_FAN_OUT = 16;

  private static final Effect REFUSED_PROOF =
      new Effect.Observe(new Observation.Counted(SubProtocolStep.REFUSED_PROOF));

  private final NodePlan plan;
  private final Wire wire;
  private final ScheduledExecutorService timers;
  private final NodeLog log;
  private final NodeMeasurements measurements;
  private final ElectionCertificates electionCertificates;
  private final RevocationBook revocationBook;
  private final AbusePolicy policy;
  private final AddressBook addressBook;
  private final Inbox inbox;
  private final ExecutorService connections = Executors.newVirtualThreadPerTaskExecutor();
  private volatile @Nullable Outbox outbox;
  private volatile @Nullable RelayClient relayClient;

  /** Starts to listen. */
  Messaging(
      NodePlan plan,
      Wire wire,
      ElectionCertificates electionCertificates,
      MessageReceiver messageReceiver,
      Refusals refusals,
      NodeMeasurements measurements,
      ScheduledExecutorService timers,
      NodeLog log) {
    this.plan = plan;
    this.wire = wire;
    this.electionCertificates = electionCertificates;
    this.timers = timers;
    this.measurements = measurements;
    this.log = log;
    policy = new AbusePolicy(plan.messaging().limits(), refusals);
    addressBook = new AddressBook(plan.identity());
    revocationBook = new RevocationBook(plan.identity(), log);
    revocationBook.onNews(this::credentialsChanged);
    plan.agreement().onNews((peer, line) -> log.withPeer(peer).info("versions", "{}", line));
    inbox =
        new Inbox(
            plan.reachability().listen(),
            plan.identity(),
            InboundContext.of(
                wire,
                new Layouts(List.of(plan.peerFactory().architecture().layout())),
                plan.agreement(),
                policy,
                messageReceiver),
            addressBook,
            revocationBook,
            plan.agreement(),
            connections,
            timers);
  }

  int port() {
    return inbox.port();
  }

  AbusePolicy abusePolicy() {
    return policy;
  }

  /** Serial number of the certificate that a member used last. */
  Optional<String> certificateOf(PeerId member) {
    return policy.certificateOf(member);
  }

  /** A member that contradicted itself commits an offence, because honest members never do so. */
  void reportContradiction(Observation.Contradicted contradicted) {
    policy.reportOffence(
        new Member(plan.identity().member().network(), contradicted.peer()),
        RefusalKind.FALSE_CLAIM,
        "its model is not the one that it described to this node (" + contradicted.name() + ")");
  }

  /**
   * Names the member that sent a proof which the overlay refused. It is no offence: an honest
   * member passes proofs on, and this node may lack the certificate of the peer that drew one.
   */
  void reportRefusedProof(Event event, PeerStep step) {
    if (event instanceof Event.Received received
        && step.effects().stream().map(Tagged::value).anyMatch(REFUSED_PROOF::equals)) {
      policy.refuse(
          new Member(plan.identity().member().network(), received.from()),
          RefusalKind.INVALID_PROOF,
          "an election proof that the certificate of its peer does not confirm");
    }
  }

  /** Members whose address is known. */
  List<PeerId> knownMembers() {
    return addressBook.known();
  }

  /** Known members that may have this node's task. */
  List<PeerId> partners() {
    return knownMembers().stream().filter(plan.agreement()::mayHaveOwnTask).toList();
  }

  /** Starts to send, to these members and to those whose addresses are learned later. */
  Outbox open(SortedMap<PeerId, InetSocketAddress> addresses) {
    addressBook.addConfigured(addresses);
    announceAddress();
    Outbox open =
        new Outbox(
            plan.identity(),
            addressBook,
            plan.messaging().sendMillis(),
            plan.messaging().packing(),
            policy.refusals(),
            plan.agreement(),
            connections,
            timers);
    outbox = open;
    List<PeerId> relays = plan.reachability().relays();
    if (!relays.isEmpty()) {
      RelayClient client = new RelayClient(open, relays, inbox, this::relayChosen, timers);
      relayClient = client;
      client.open();
    }
    return open;
  }

  private void announceAddress() {
    RelayClient client = relayClient;
    Optional<PeerId> relay = client == null ? Optional.empty() : client.relay();
    plan.ownAddress(relay, port(), System.currentTimeMillis()).ifPresent(addressBook::keep);
  }

  /** Tells other members at once, because they send to the relay that they know. */
  private void relayChosen(PeerId relay) {
    log.withPeer(relay).info("relay", "{} relays messages to this node", relay);
    announceAddress();
    Outbox open = outbox;
    if (open != null) {
      addressBook.known().stream()
          .limit(RELAY_FAN_OUT)
          .forEach(member -> open.exchangeAddresses(member, () -> {}));
    }
  }

  EncodedMessage encode(Message message) {
    Packing packing = plan.messaging().packing();
    Wire.Encoded encoded = wire.encode(Message.class, message, packing::roundedAsSent);
    return new EncodedMessage(
        encoded,
        encoded.bytes().length,
        packing.bytes(encoded.modelBytes() / Float.BYTES),
        electionCertificates.neededBy(
            message, plan.identity().member().peer(), plan.identity().certificate()));
  }

  /**
   * Sends a message; the listener is called once, with nothing or with the reason for the failure.
   */
  void send(
      PeerId to,
      Component component,
      EncodedMessage encodedMessage,
      Consumer<Optional<String>> endListener) {
    Outbox open = outbox;
    if (open == null) {
      throw new IllegalStateException("send() was called before the node was started");
    }
    long began = System.nanoTime();
    open.send(
        to,
        new Outbox.OutgoingMessage(
            component, encodedMessage.encoded(), encodedMessage.certificates()),
        failure -> {
          if (failure.isEmpty()) {
            measurements.delivery(System.nanoTime() - began);
          }
          endListener.accept(failure);
        });
  }

  long framedBytes() {
    Outbox open = outbox;
    return open == null ? 0 : open.framedBytes();
  }

  /** Reloads credentials: an operator may replace certificates and revocation lists at any time. */
  void refreshCredentials() {
    if (plan.identity().refresh(log)) {
      credentialsChanged();
    }
  }

  /** Passes a new revocation list on at once, and ends what is no longer trusted. */
  private void credentialsChanged() {
    Outbox open = outbox;
    if (open != null) {
      announceAddress();
      addressBook.recheckTrust();
      electionCertificates.recheckTrust();
      open.renewConnections();
      open.exchangeRevocations(revocationBook, REVOCATION_FAN_OUT);
    }
  }

  /** Each exchange tells both sides what the other knows. */
  void exchangeWithRandomMember() {
    Outbox open = outbox;
    if (open != null) {
      open.exchangeAddressesWithRandomMember();
      open.exchangeRevocations(revocationBook, 1);
    }
  }

  void stopListening() {
    inbox.close();
  }

  /** Messages and bytes that this node has relayed. */
  RelayServer.RelayStats relayStats() {
    return inbox.relayStats();
  }

  @Override
  public void close() {
    RelayClient client = relayClient;
    if (client != null) {
      client.close();
    }
    stopListening();
    Outbox open = outbox;
    if (open != null) {
      open.close();
    }
    connections.shutdownNow();
  }
}
