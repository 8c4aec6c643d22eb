package io.kindred.node;

import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.Packing;
import io.kindred.runtime.RoundCompletion;
import io.kindred.storage.OperatorException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Everything that a node is built from. A plan that cannot work is rejected here, before the node
 * starts.
 *
 * @param peerFactory the run that the node takes part in
 * @param number the node's peer number in the run
 * @param trainers creates the trainer of each worker
 * @param workers threads that compute
 * @param identity the node's keys and certificate
 * @param listen address at which the node listens
 * @param advertised address at which other nodes reach this node, if it is not the listen address
 * @param folder folder that the node writes to
 * @param recordsEvents whether the node records its events for a replay
 * @param gatherMillis how long the node waits for its neighbours before its first round
 * @param sendMillis timeout after which an undelivered message fails
 * @param limits limits of what other members may send
 * @param packing the form in which the node sends weights
 * @param relay the peer that relays messages to this node, if no other node can connect to it
 * @param links how the links to the neighbours are measured
 */
public record NodePlan(
    PeerFactory peerFactory,
    int number,
    Supplier<Trainer> trainers,
    int workers,
    Identity identity,
    InetSocketAddress listen,
    Optional<InetSocketAddress> advertised,
    Path folder,
    boolean recordsEvents,
    long gatherMillis,
    long sendMillis,
    Limits limits,
    Packing packing,
    Optional<PeerId> relay,
    LinkSettings links) {
  public NodePlan {
    if (peerFactory.method().pooledData()) {
      throw new SettingException(
          "method",
          "it needs everybody's data in one place, which only a simulator has",
          "choose a method whose peers keep their data");
    }
    links = peerFactory.method().measuresLinks() ? links.withDefaultProbes() : links;
    if (number < 0 || number >= peerFactory.size()) {
      throw new SettingException(
          "peer",
          "the experiment has no participant " + number,
          "choose one of 0 to " + (peerFactory.size() - 1));
    }
    Member certified = identity.member();
    if (certified.peer().number() != number) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "the certificate is for %s, the configuration for peer %d; use that peer's identity"
              .formatted(certified, number));
    }
  }

  /** This node's address or relay, signed by the node itself. */
  SignedAddress ownAddress(int port, long millis) {
    if (relay.isPresent()) {
      return SignedAddress.viaRelay(identity, relay.get(), millis);
    }
    InetSocketAddress where = advertised.orElse(listen);
    return SignedAddress.of(
        identity, where.getHostString(), advertised.isPresent() ? where.getPort() : port, millis);
  }

  /** The same plan with other trainers, whose data sets may have other samples. */
  public NodePlan withTrainer(PeerFactory otherFactory, Supplier<Trainer> otherTrainers) {
    return new NodePlan(
        otherFactory,
        number,
        otherTrainers,
        workers,
        identity,
        listen,
        advertised,
        folder,
        recordsEvents,
        gatherMillis,
        sendMillis,
        limits,
        packing,
        relay,
        links);
  }

  /** As in the simulator, a server has no neighbours and is the neighbour of no peer. */
  List<PeerId> neighbours(Collection<PeerId> known) {
    int peers = peerFactory.datasets().splits().size();
    return isServer() ? List.of() : known.stream().filter(each -> each.number() < peers).toList();
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

  Path stateFolder() {
    return folder.resolve("state");
  }

  Path recordingFile() {
    return folder.resolve("events.rec");
  }

  Path statusFile() {
    return folder.resolve("status.json");
  }
}
