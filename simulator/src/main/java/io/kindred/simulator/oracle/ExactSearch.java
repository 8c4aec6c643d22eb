package io.kindred.simulator.oracle;

import io.kindred.core.Note;
import io.kindred.core.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.methods.semantic.Oracle;
import io.kindred.methods.semantic.PullState;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signatures.Cardinality;
import io.kindred.protocol.signatures.QuantileSketch;
import io.kindred.protocol.signatures.SignatureRule;
import io.kindred.simulator.Everybody;
import io.kindred.simulator.ShellService;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Answers searches by looking at everybody (SemanticDFL, section 5.3): what an overlay is measured
 * against. It remembers nothing that could not be seen again, so a run can be cut at any time.
 */
public final class ExactSearch implements ShellService {
  private static final Purpose ANYBODY = new Purpose("random-k");

  private final RandomStreams streams;
  private final Ranking ranking = new Ranking();

  public ExactSearch(RandomStreams streams) {
    this.streams = streams;
  }

  @Override
  public Note answer(PeerId peer, Note question) {
    return ShellService.NONE.answer(peer, question);
  }

  @Override
  public Note answer(PeerId peer, Note question, Everybody everybody) {
    if (!(question instanceof Oracle.Ask ask)) {
      return answer(peer, question);
    }
    List<PullState> states =
        everybody.present().stream()
            .map(each -> Ranking.pulling(everybody.state(each)))
            .flatMap(Optional::stream)
            .toList();
    if (!ask.anyway() && states.stream().anyMatch(each -> each.likeness().signed() < ask.round())) {
      return new Oracle.NotYet(ask.number());
    }
    List<Candidate> candidates =
        ask.by() == Oracle.By.CHANCE
            ? anybody(peer, everybody, ask)
            : ranking.nearest(peer, everybody, ask.by(), ask.wanted());
    return new Oracle.Nearest(ask.number(), candidates, entries(states, ask.rule()));
  }

  private List<Candidate> anybody(PeerId peer, Everybody everybody, Oracle.Ask ask) {
    List<Candidate> all =
        ranking.nearest(peer, everybody, ask.by(), Integer.MAX_VALUE).stream()
            .sorted(Comparator.comparing(Candidate::peer))
            .toList();
    int[] order = streams.stream(ANYBODY, peer.number(), ask.round()).permutation(all.size());
    List<Candidate> chosen = new ArrayList<>();
    for (int i = 0; i < Math.min(ask.wanted(), order.length); i++) {
      chosen.add(all.get(order[i]));
    }
    return chosen;
  }

  /** What the top of an overlay would agree on. */
  private static int entries(List<PullState> states, SignatureRule rule) {
    QuantileSketch least = QuantileSketch.empty();
    for (PullState each : states) {
      least = least.with(Math.max(0, each.likeness().least()));
    }
    return Cardinality.agreed(least, states.getFirst().models().from().size(), rule);
  }
}
