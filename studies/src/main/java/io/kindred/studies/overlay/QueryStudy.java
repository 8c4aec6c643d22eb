package io.kindred.studies.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.environment.topology.Graph;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Lets peers ask all queries of a study, one after another, and records the answers. */
final class QueryStudy implements OverlaySimulation.QueryWorkload {
  private final OverlayStudy study;
  private final List<OverlayStudy.Question> questions;
  private final List<SortedMap<PeerId, OverlayLocalMessage.SearchFinished>> answers =
      new ArrayList<>();
  private final SortedMap<PeerId, Integer> askedCounts = new TreeMap<>();
  private int answered;

  /** Peers by similarity of their models: expensive to compute, and the same for every query. */
  private final Map<Integer, List<PeerId>> modelRankings = new ConcurrentHashMap<>();

  QueryStudy(OverlayStudy study) {
    this.study = study;
    questions = study.questions();
    questions.forEach(question -> answers.add(new TreeMap<>()));
  }

  List<OverlayStudy.Question> questions() {
    return questions;
  }

  int answered() {
    return answered;
  }

  int expectedAnswers() {
    return questions.size() * study.askerCount();
  }

  @Override
  public Optional<QueryClient.IssueQuery> next(PeerId peer, long tick) {
    int number = askedCounts.getOrDefault(peer, 0);
    if (number == questions.size() || !study.isAsker(peer.number())) {
      return Optional.empty();
    }
    askedCounts.put(peer, number + 1);
    OverlayStudy.Question question = questions.get(number);
    // Peers ask in turn: a peer with its first answer waits until the last peer has asked.
    double seconds = number == 0 ? (1 + peer.number()) * study.everySeconds() : 0;
    double apart = number == 0 ? 0 : study.peers() * study.everySeconds();
    return Optional.of(
        new QueryClient.IssueQuery(
            number, question.wanted(), question.rule(), Ticks.ofSeconds(seconds + apart)));
  }

  @Override
  public void answered(PeerId peer, OverlayLocalMessage.SearchFinished answer) {
    answers.get((int) answer.number()).put(peer, answer);
    answered++;
  }

  /** The measurements of one query over all peers. */
  OverlayStudyResult.SearchResult searchResult(
      int number,
      PeerSignatures signatures,
      Graph graph,
      OverlaySimulation.TrafficVolume trafficVolume) {
    OverlayStudy.Question question = questions.get(number);
    SortedMap<PeerId, OverlayLocalMessage.SearchFinished> all = answers.get(number);
    List<PeerId> askers = List.copyOf(all.keySet());
    List<OverlayLocalMessage.SearchFinished> results = List.copyOf(all.values());
    int wanted = question.wanted();
    double messages = (double) trafficVolume.messages() / Math.max(1, askers.size());
    double[][] recalls = new double[askers.size()][];
    IntStream.range(0, askers.size())
        .parallel()
        .forEach(
            i -> {
              int peer = (int) askers.get(i).number();
              List<PeerId> exact =
                  signatures.nearest(peer, wanted).stream().map(Candidate::peer).toList();
              List<PeerId> found =
                  results.get(i).candidates().stream().map(Candidate::peer).toList();
              recalls[i] =
                  new double[] {
                    recall(exact, found),
                    signatures.models().isEmpty()
                        ? 0
                        : recall(nearestByModel(signatures, peer, wanted), found),
                    recall(
                        exact,
                        UnguidedSearchBaselines.reachedByFlooding(graph, peer, (long) messages)),
                    recall(
                        exact,
                        UnguidedSearchBaselines.reachedByProbing(
                            graph, peer, (long) messages, study.seed()))
                  };
            });
    double[] seconds =
        all.values().stream().mapToDouble(each -> Ticks.toSeconds(each.ticks())).sorted().toArray();
    return new OverlayStudyResult.SearchResult(
        wanted,
        question.rule().beam(),
        question.rule().beamScope().name().toLowerCase(Locale.ROOT),
        askers.size(),
        mean(recalls, 0),
        signatures.models().isEmpty() ? Optional.empty() : Optional.of(mean(recalls, 1)),
        messages,
        (double) trafficVolume.bytes() / Math.max(1, askers.size()),
        mean(all, each -> each.cost().visited()),
        mean(all, each -> each.cost().compared()) / (signatures.size() - 1),
        mean(all, OverlayLocalMessage.SearchFinished::attempts),
        mean(all, OverlayLocalMessage.SearchFinished::threshold),
        Arrays.stream(seconds).average().orElse(0),
        seconds.length == 0 ? 0 : seconds[(int) (0.95 * (seconds.length - 1))],
        mean(recalls, 2),
        mean(recalls, 3));
  }

  private List<PeerId> nearestByModel(PeerSignatures signatures, int peer, int wanted) {
    List<PeerId> all =
        modelRankings.computeIfAbsent(
            peer,
            each ->
                signatures.nearestByModel(each, signatures.size()).stream()
                    .map(Candidate::peer)
                    .toList());
    return all.subList(0, Math.min(wanted, all.size()));
  }

  private static double recall(List<PeerId> exact, Collection<PeerId> found) {
    Set<PeerId> set = new TreeSet<>(found);
    return exact.isEmpty()
        ? 1
        : (double) exact.stream().filter(set::contains).count() / exact.size();
  }

  private static double mean(double[][] rows, int column) {
    return Arrays.stream(rows).mapToDouble(row -> row[column]).average().orElse(0);
  }

  private static double mean(
      SortedMap<PeerId, OverlayLocalMessage.SearchFinished> all,
      ToDoubleFunction<OverlayLocalMessage.SearchFinished> what) {
    return all.values().stream().mapToDouble(what).average().orElse(0);
  }
}
