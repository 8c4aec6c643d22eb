package io.kindred.studies.discovery;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.Contact;
import io.kindred.protocol.discovery.DiscoveryState;
import io.kindred.protocol.discovery.ViewEntry;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.studies.overlay.OverlayStudy.SyntheticSignatureSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Runs a {@link DiscoveryFuzzCase}: rounds with faults, then rounds without. Lists keep their
 * bounds and no honest peer is accused in any round; at the end every peer that is up knows another
 * peer that is up, no view holds an honest peer that is down, and contacts connect all peers.
 */
public final class DiscoveryFuzzRun {
  private static final Purpose RETURNS = new Purpose("discovery-fuzz-returns");
  private static final SyntheticSignatureSettings DRAWN =
      new SyntheticSignatureSettings(64, 12, 4, 2, 0.5, 1, 0.5);
  private static final int INTRODUCED = 8;

  private final DiscoveryFuzzCase fuzzCase;
  private final BiConsumer<Long, String> transcript;
  private final ViewNetwork.Tampering tampering;
  private final ViewNetwork network;
  private final NetworkScript script;
  private final NetworkMeasures measures;
  private long rounds;

  /** Writes one line for each round. */
  public DiscoveryFuzzRun(DiscoveryFuzzCase fuzzCase, BiConsumer<Long, String> transcript) {
    this.fuzzCase = fuzzCase;
    this.transcript = transcript;
    PeerVectors vectors = new PlantedVectors(DRAWN, fuzzCase.peers(), fuzzCase.seed());
    tampering =
        fuzzCase.liars().share() > 0
            ? new LyingPeers(fuzzCase.liars(), fuzzCase.peers(), fuzzCase.seed())
            : ViewNetwork.Tampering.NONE;
    network =
        new ViewNetwork(
            fuzzCase.views(),
            IntStream.range(0, fuzzCase.peers())
                .mapToObj(i -> vectors.sketch(i, 0, fuzzCase.views().sketch()))
                .toList(),
            new Introductions(fuzzCase.peers(), INTRODUCED, fuzzCase.seed()),
            new ViewNetwork.Conditions(fuzzCase.seed(), fuzzCase.loss(), fuzzCase.waves()),
            tampering);
    script = new NetworkScript(NetworkScript.Events.of(fuzzCase), vectors, network);
    measures = new NetworkMeasures(network);
  }

  /** Rounds so far. */
  public long rounds() {
    return rounds;
  }

  /** Runs the case; returns the first violation. */
  public Optional<String> run() {
    for (int round = 1; round <= fuzzCase.faultRounds(); round++) {
      script.before(round);
      Optional<String> violation = round();
      if (violation.isPresent()) {
        return violation;
      }
    }
    endFaults();
    for (int round = 1; round <= fuzzCase.quietRounds(); round++) {
      Optional<String> violation = round();
      if (violation.isPresent()) {
        return violation;
      }
    }
    return notRecovered();
  }

  private void endFaults() {
    RandomStreams streams = new RandomStreams(fuzzCase.seed());
    network.endLoss();
    for (int peer = 0; peer < network.size(); peer++) {
      network.split(peer, 0);
      if (streams.stream(RETURNS, peer, 0).nextInt(2) == 0) {
        network.setUp(peer, true);
      }
    }
  }

  private Optional<String> round() {
    rounds++;
    network.round();
    for (int peer : measures.live()) {
      for (Candidate each : network.similar(peer, fuzzCase.wanted())) {
        int owner = (int) each.peer().number();
        if (network.isReachable(peer, owner)) {
          network.pulled(peer, owner);
        }
      }
    }
    transcript.accept(
        rounds,
        String.format(
            Locale.ROOT,
            "round %d: %d up, %d isolated, %.3f connected, %d messages, %d refused",
            rounds,
            measures.live().length,
            measures.isolated(),
            measures.connected(),
            network.messages(),
            network.refusals()));
    return IntStream.of(measures.live())
        .mapToObj(this::outOfBounds)
        .flatMap(Optional::stream)
        .findFirst()
        .or(
            () ->
                network.falseAccusations() == 0
                    ? Optional.empty()
                    : Optional.of("an honest peer was accused of a false claim"));
  }

  private Optional<String> outOfBounds(int peer) {
    DiscoveryState state = network.state(peer);
    List<PeerId> contacts = state.contacts().stream().map(Contact::peer).toList();
    List<PeerId> entries = state.entries().stream().map(ViewEntry::peer).toList();
    List<String> violations = new ArrayList<>();
    check(violations, peer, "contacts", contacts, fuzzCase.views().contacts());
    int capacity = fuzzCase.views().size() + fuzzCase.views().reserve();
    check(violations, peer, "models", entries, capacity);
    return violations.stream().findFirst();
  }

  private static void check(
      List<String> violations, int peer, String what, List<PeerId> peers, int most) {
    if (peers.size() > most) {
      violations.add(
          "peer " + peer + " has " + peers.size() + " " + what + ", the limit is " + most);
    }
    if (peers.contains(new PeerId(peer))) {
      violations.add("peer " + peer + " is among its own " + what);
    }
    if (peers.stream().distinct().count() < peers.size()) {
      violations.add("peer " + peer + " has a peer twice among its " + what);
    }
  }

  private Optional<String> notRecovered() {
    int[] live = measures.live();
    if (live.length < 2) {
      return Optional.empty();
    }
    for (int peer : live) {
      if (measures.isIsolated(peer)) {
        return Optional.of("peer " + peer + " knows no peer that is up");
      }
      for (ViewEntry each : network.state(peer).entries()) {
        int owner = (int) each.peer().number();
        if (!network.isUp(owner) && !tampering.lies(owner)) {
          return Optional.of("the view of peer " + peer + " holds " + owner + ", which is down");
        }
      }
    }
    if (measures.connected() < 1) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "contacts connect only %.3f of the peers that are up",
              measures.connected()));
    }
    return Optional.empty();
  }
}
