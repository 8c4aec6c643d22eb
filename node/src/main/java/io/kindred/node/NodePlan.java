package io.kindred.node;

import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.identity.ElectionCertificates;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.transport.TaskAgreement;
import io.kindred.runtime.RoundCompletion;
import io.kindred.storage.OperatorException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Everything that a node is built from. A plan that cannot work is rejected here, before the node
 * starts.
 *
 * @param peerFactory the run that the node takes part in
 * @param number the node's peer number in the run
 * @param computing what computes the node's tickets
 * @param identity the node's keys and certificate
 * @param reachability where the node listens and how others reach it
 * @param output what the node writes
 * @param messaging how the node exchanges messages
 * @param agreement the task that the nodes of the network have to agree on
 */
@Buildable
public record NodePlan(
    PeerFactory peerFactory,
    int number,
    Computing computing,
    Identity identity,
    Reachability reachability,
    Output output,
    MessagingSettings messaging,
    TaskAgreement agreement) {
  /** The file with the certificates of peers whose election proofs the node has received. */
  public static final String ELECTION_CERTIFICATES = "elections.crt";

  /**
   * What computes a node's tickets.
   *
   * @param trainers creates the trainer of each worker
   * @param workers threads that compute
   * @param leastRoundSeconds least time from the start of a round to that of the next one
   */
  public record Computing(Supplier<Trainer> trainers, int workers, double leastRoundSeconds) {
    /** Rounds that begin as soon as the last one is finished. */
    public Computing(Supplier<Trainer> trainers, int workers) {
      this(trainers, workers, 0);
    }
  }

  /**
   * Where a node listens and how others reach it.
   *
   * @param advertised address at which other nodes reach this node, if it is not the listen address
   * @param relays the peers that may relay messages to this node, if no other node can connect to
   *     it; none if other nodes can
   */
  public record Reachability(
      InetSocketAddress listen, Optional<InetSocketAddress> advertised, List<PeerId> relays) {
    public Reachability {
      relays = List.copyOf(relays);
    }

    public static Reachability of(AddressSettings settings) {
      return new Reachability(
          settings.listenAddress(), settings.advertisedAddress(), settings.relayPeers());
    }
  }

  /**
   * What a node writes.
   *
   * @param folder folder that the node writes to
   * @param recordsEvents whether the node records its events for a replay
   */
  public record Output(Path folder, boolean recordsEvents) {}

  public NodePlan {
    if (peerFactory.method().pooledData()) {
      throw new SettingException(
          "method",
          "the method needs the data of all peers in one place, which only a simulator has",
          "choose a method whose peers keep their data");
    }
    if (peerFactory.method().needsGlobalView()) {
      throw new SettingException(
          "method.discovery",
          "only a simulator sees all peers",
          "choose `views`, `overlay` or `neighbours`");
    }
    messaging = peerFactory.method().measuresLinks() ? messaging.withDefaultProbes() : messaging;
    peerFactory = peerFactory.withSentForm(messaging.packing()::roundedAsSent);
    if (number < 0 || number >= peerFactory.size()) {
      throw new SettingException(
          "peer",
          "the experiment has no participant " + number,
          "choose a number from 0 to " + (peerFactory.size() - 1));
    }
    Member certified = identity.member();
    if (certified.peer().number() != number) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          ("the certificate is for %s, but the configuration is for peer %d; use the"
                  + " identity of that peer")
              .formatted(certified, number));
    }
  }

  /**
   * This node's address, or the relay that it has chosen, signed by the node itself; empty while a
   * node that needs a relay has none.
   */
  Optional<SignedAddress> ownAddress(Optional<PeerId> relay, int port, long millis) {
    if (!reachability.relays().isEmpty()) {
      return relay.map(chosen -> SignedAddress.viaRelay(identity, chosen, millis));
    }
    Optional<InetSocketAddress> advertised = reachability.advertised();
    InetSocketAddress where = advertised.orElse(reachability.listen());
    return Optional.of(
        SignedAddress.of(
            identity,
            where.getHostString(),
            advertised.isPresent() ? where.getPort() : port,
            millis));
  }

  /** The same plan with other trainers, whose data sets may have other samples. */
  public NodePlan withTrainer(PeerFactory otherFactory, Supplier<Trainer> otherTrainers) {
    return NodePlanBuilder.from(this)
        .peerFactory(otherFactory)
        .computing(new Computing(otherTrainers, computing.workers(), computing.leastRoundSeconds()))
        .build();
  }

  /** As in the simulator, a server has no neighbours and is the neighbour of no peer. */
  List<PeerId> neighbours(Collection<PeerId> known) {
    long peers = peerNumbersBelow(peerFactory);
    return isServer() ? List.of() : known.stream().filter(each -> each.number() < peers).toList();
  }

  /** A bound that the numbers of all peers are below; the number of a server is not. */
  public static long peerNumbersBelow(PeerFactory peerFactory) {
    return peerFactory.open() ? Long.MAX_VALUE : peerFactory.datasets().splits().size();
  }

  /** Whether this node is the server of the run, which has no data of its own. */
  public boolean isServer() {
    return number >= peerFactory.datasets().splits().size();
  }

  /** When a round of this node is over. */
  public RoundCompletion roundCompletion() {
    return RoundCompletion.onNode(peerFactory.method(), peerFactory.rounds(), isServer());
  }

  /** Bytes of one model of this network. */
  long modelBytes() {
    return (long) Float.BYTES * peerFactory.architecture().layout().size();
  }

  Path folder() {
    return output.folder();
  }

  Path stateFolder() {
    return folder().resolve("state");
  }

  ElectionCertificates electionCertificates(Predicate<X509Certificate> isTrusted) {
    return new ElectionCertificates(
        folder().resolve(ELECTION_CERTIFICATES), peerNumbersBelow(peerFactory), isTrusted);
  }

  /** The peer that this node runs, which draws its election scores with the node's own key. */
  Peer peer(ElectionCertificates certificates) {
    return peerFactory
        .withElections(certificates.elections(peerFactory.seed(), identity::electionSecret))
        .peer(number);
  }

  Path recordingFile() {
    return folder().resolve("events.rec");
  }

  Path statusFile() {
    return folder().resolve("status.json");
  }
}
