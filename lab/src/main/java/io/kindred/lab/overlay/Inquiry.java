package io.kindred.lab.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayNote;
import io.kindred.world.Graph;
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

/** Lets peers ask all questions of a study, one after another, and keeps the answers. */
final class Inquiry implements Trial.Questions {
  private final Study study;
  private final List<Study.Question> questions;
  private final List<SortedMap<PeerId, OverlayNote.Searched>> answers = new ArrayList<>();
  private final SortedMap<PeerId, Integer> asked = new TreeMap<>();
  private int answered;

  /** Whose models are most alike: costly to find out, and the same for every question. */
  private final Map<Integer, List<PeerId>> alike = new ConcurrentHashMap<>();

  Inquiry(Study study) {
    this.study = study;
    questions = study.questions();
    questions.forEach(question -> answers.add(new TreeMap<>()));
  }

  List<Study.Question> questions() {
    return questions;
  }

  int answered() {
    return answered;
  }

  int expected() {
    return questions.size() * study.askerCount();
  }

  @Override
  public Optional<Asker.Ask> next(PeerId peer, long tick) {
    int number = asked.getOrDefault(peer, 0);
    if (number == questions.size() || !study.asks(peer.number())) {
      return Optional.empty();
    }
    asked.put(peer, number + 1);
    Study.Question question = questions.get(number);
    // Peers take turns: whoever has its first answer waits until the last peer has asked.
    double seconds = number == 0 ? (1 + peer.number()) * study.everySeconds() : 0;
    double apart = number == 0 ? 0 : study.peers() * study.everySeconds();
    return Optional.of(
        new Asker.Ask(
            number, question.wanted(), question.rule(), Ticks.ofSeconds(seconds + apart)));
  }

  @Override
  public void answered(PeerId peer, OverlayNote.Searched answer) {
    answers.get((int) answer.number()).put(peer, answer);
    answered++;
  }

  /** What came of one question. */
  Figures.Search figures(int number, Population population, Graph graph, Trial.Volume volume) {
    Study.Question question = questions.get(number);
    SortedMap<PeerId, OverlayNote.Searched> all = answers.get(number);
    List<PeerId> askers = List.copyOf(all.keySet());
    List<OverlayNote.Searched> told = List.copyOf(all.values());
    int wanted = question.wanted();
    double messages = (double) volume.messages() / Math.max(1, askers.size());
    double[][] recalls = new double[askers.size()][];
    IntStream.range(0, askers.size())
        .parallel()
        .forEach(
            i -> {
              int peer = (int) askers.get(i).number();
              List<PeerId> exact =
                  population.nearest(peer, wanted).stream().map(Candidate::peer).toList();
              List<PeerId> found = told.get(i).candidates().stream().map(Candidate::peer).toList();
              recalls[i] =
                  new double[] {
                    share(exact, found),
                    population.models().isEmpty()
                        ? 0
                        : share(models(population, peer, wanted), found),
                    share(exact, Unguided.flooded(graph, peer, (long) messages)),
                    share(exact, Unguided.probed(graph, peer, (long) messages, study.seed()))
                  };
            });
    double[] seconds =
        all.values().stream().mapToDouble(each -> Ticks.toSeconds(each.ticks())).sorted().toArray();
    return new Figures.Search(
        wanted,
        question.rule().beam(),
        question.rule().reading().name().toLowerCase(Locale.ROOT),
        askers.size(),
        mean(recalls, 0),
        population.models().isEmpty() ? Optional.empty() : Optional.of(mean(recalls, 1)),
        messages,
        (double) volume.bytes() / Math.max(1, askers.size()),
        mean(all, each -> each.tally().visited()),
        mean(all, each -> each.tally().compared()) / (population.size() - 1),
        mean(all, OverlayNote.Searched::attempts),
        mean(all, OverlayNote.Searched::threshold),
        Arrays.stream(seconds).average().orElse(0),
        seconds.length == 0 ? 0 : seconds[(int) (0.95 * (seconds.length - 1))],
        mean(recalls, 2),
        mean(recalls, 3));
  }

  private List<PeerId> models(Population population, int peer, int wanted) {
    List<PeerId> all =
        alike.computeIfAbsent(
            peer,
            each ->
                population.nearestModels(each, population.size()).stream()
                    .map(Candidate::peer)
                    .toList());
    return all.subList(0, Math.min(wanted, all.size()));
  }

  private static double share(List<PeerId> exact, Collection<PeerId> found) {
    Set<PeerId> set = new TreeSet<>(found);
    return exact.isEmpty()
        ? 1
        : (double) exact.stream().filter(set::contains).count() / exact.size();
  }

  private static double mean(double[][] rows, int column) {
    return Arrays.stream(rows).mapToDouble(row -> row[column]).average().orElse(0);
  }

  private static double mean(
      SortedMap<PeerId, OverlayNote.Searched> all, ToDoubleFunction<OverlayNote.Searched> what) {
    return all.values().stream().mapToDouble(what).average().orElse(0);
  }
}
