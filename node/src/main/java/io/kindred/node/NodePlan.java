package io.kindred.node;

import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.Packing;
import io.kindred.storage.OperatorException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Everything that a node is made from; what cannot work is refused here, before anything starts.
 *
 * @param peerFactory the run that it takes part in
 * @param number which of the participants it is
 * @param trainers what opens tickets, one for each worker
 * @param workers threads that compute
 * @param identity its keys and certificate
 * @param listen where it listens
 * @param advertised where others reach it, if that is elsewhere
 * @param folder what it writes goes here
 * @param recordsEvents whether events are written down
 * @param gatherMillis how long it waits for its neighbours before its first round
 * @param sendMillis after which a message that has not arrived is given up
 * @param limits what others may send
 * @param packing the form in which it sends weights
 * @param relay who hands on messages to it, if nobody can connect to it
 * @param links how the ways to its neighbours are measured
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
    Member stated = identity.member();
    if (stated.peer().number() != number) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "the certificate is for %s, the configuration for peer %d; use that peer's identity"
              .formatted(stated, number));
    }
  }

  /** Where others reach it, in its own words. */
  SignedAddress ownAddress(int port, long millis) {
    if (relay.isPresent()) {
      return SignedAddress.viaRelay(identity, relay.get(), millis);
    }
    InetSocketAddress where = advertised.orElse(listen);
    return SignedAddress.of(
        identity, where.getHostString(), advertised.isPresent() ? where.getPort() : port, millis);
  }

  /** The same node with somebody else to open its tickets, who may have other samples. */
  public NodePlan withTrainer(PeerFactory others, Supplier<Trainer> everybody) {
    return new NodePlan(
        others,
        number,
        everybody,
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

  /** As in the simulator, a server is nobody's neighbour and has none. */
  List<PeerId> neighbours(Collection<PeerId> known) {
    int peers = peerFactory.datasets().splits().size();
    return number >= peers
        ? List.of()
        : known.stream().filter(each -> each.number() < peers).toList();
  }

  /** The stage that ends a round. */
  Observation.Stage lastStage() {
    boolean isServer = number >= peerFactory.datasets().splits().size();
    return isServer ? Observation.Stage.MIXED : peerFactory.method().lastStage();
  }

  /** What a model of this network takes. */
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
