package io.kindred.simulator.oracle;

import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.methods.discovery.Oracle;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.Cardinality;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.simulator.GlobalView;
import io.kindred.simulator.ShellService;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Answers searches by comparing all peers (SemanticDFL, section 5.3): the baseline of an overlay.
 * It keeps no state that cannot be recomputed, so a snapshot can be taken at any time.
 */
public final class ExactSearch implements ShellService {
  private static final Purpose RANDOM_CANDIDATES = new Purpose("random-k");

  private final RandomStreams streams;
  private final SimilarityRanking similarityRanking = new SimilarityRanking();

  public ExactSearch(RandomStreams streams) {
    this.streams = streams;
  }

  @Override
  public LocalMessage answer(PeerId peer, LocalMessage question) {
    return ShellService.NONE.answer(peer, question);
  }

  @Override
  public LocalMessage answer(PeerId peer, LocalMessage question, GlobalView view) {
    if (!(question instanceof Oracle.Ask ask)) {
      return answer(peer, question);
    }
    List<PeerSearchState> states =
        view.livePeers().stream()
            .map(each -> SimilarityRanking.searchStateOf(view.state(each)))
            .flatMap(Optional::stream)
            .toList();
    if (!ask.immediate()
        && states.stream().anyMatch(each -> each.signatureInfo().signedRound() < ask.round())) {
      return new Oracle.NotYet(ask.number());
    }
    List<Candidate> candidates =
        ask.comparedBy() == Oracle.ComparedBy.CHANCE
            ? randomCandidates(peer, view, ask)
            : similarityRanking.nearest(peer, view, ask.comparedBy(), ask.wanted());
    return new Oracle.Nearest(ask.number(), candidates, agreedCardinality(states, ask.rule()));
  }

  private List<Candidate> randomCandidates(PeerId peer, GlobalView view, Oracle.Ask ask) {
    List<Candidate> all =
        similarityRanking.nearest(peer, view, ask.comparedBy(), Integer.MAX_VALUE).stream()
            .sorted(Comparator.comparing(Candidate::peer))
            .toList();
    int[] order =
        streams.stream(RANDOM_CANDIDATES, peer.number(), ask.round()).permutation(all.size());
    List<Candidate> chosen = new ArrayList<>();
    for (int i = 0; i < Math.min(ask.wanted(), order.length); i++) {
      chosen.add(all.get(order[i]));
    }
    return chosen;
  }

  /** The cardinality that the root of an overlay would agree on. */
  private static int agreedCardinality(List<PeerSearchState> states, SignatureRule rule) {
    QuantileSketch least = QuantileSketch.empty();
    for (PeerSearchState each : states) {
      least = least.with(Math.max(0, each.signatureInfo().requiredEntries()));
    }
    return Cardinality.networkWide(least, states.getFirst().model().from().size(), rule);
  }
}
