package io.kindred.lab.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayNote;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.invariants.Invariants;
import io.kindred.world.TextFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Carries out an ordeal: everybody asks all the time, something goes wrong all the time; then
 * nothing does, and the overlay has to become whole and find everybody.
 */
public final class OrdealRun {
  /** Wants everybody, wherever they are. */
  private static final SearchRule EVERYWHERE =
      new SearchRule(4096, SearchRule.Reading.NODE, 100_000);

  private static final SearchRule USUAL = new SearchRule(8, SearchRule.Reading.NODE, 0);
  private static final int WANTED = 3;

  /** Seconds that the last questions may take. */
  private static final double EXAM_SECONDS = 60;

  /** Asks without end; at the end, once, for everybody. */
  private final class Examiner implements Trial.Questions {
    private final SortedMap<PeerId, Long> numbers = new TreeMap<>();
    private final SortedMap<PeerId, Long> turns = new TreeMap<>();
    private final SortedMap<PeerId, Long> exams = new TreeMap<>();
    private final SortedMap<PeerId, List<Candidate>> results = new TreeMap<>();
    private boolean exam;
    private long answered;

    @Override
    public Optional<Asker.Ask> next(PeerId peer, long tick) {
      long number = numbers.merge(peer, 1L, Long::sum);
      if (exam && !exams.containsKey(peer)) {
        exams.put(peer, number);
        return Optional.of(new Asker.Ask(number, ordeal.peers() - 1, EVERYWHERE, 1));
      }
      int wanted = Math.min(WANTED, ordeal.peers() - 1);
      Asker.Ask usual =
          new Asker.Ask(number, wanted, USUAL, Ticks.ofSeconds(ordeal.everySeconds()));
      boolean turns =
          tick < Ticks.ofSeconds(ordeal.faults().untilSeconds())
              && number % TURNING == peer.number() % TURNING;
      return Optional.of(turns ? usual.with(model(peer)) : usual);
    }

    /** Now one model, now another. */
    private OverlayNote.Signed model(PeerId peer) {
      long times = turns.merge(peer, 1L, Long::sum);
      return (times % 2 == 1 ? turned : population).signed(peer);
    }

    @Override
    public void answered(PeerId peer, OverlayNote.Searched answer) {
      answered++;
      Long asked = exams.get(peer);
      if (asked != null && asked == answer.number()) {
        results.put(peer, answer.candidates());
      }
    }
  }

  /** Queries after which a peer has another model, as long as things go wrong. */
  private static final int TURNING = 7;

  private final Ordeal ordeal;
  private final Population population;
  private final Population turned;
  private final Examiner examiner = new Examiner();
  private final Trial trial;
  private double healedSeconds = -1;

  public OrdealRun(Ordeal ordeal, TextFiles files, Inspector inspector) {
    this.ordeal = ordeal;
    population = ordeal.population(0);
    turned = ordeal.population(1);
    trial =
        new Trial(
            ordeal.world(files),
            ordeal.overlay(),
            population,
            examiner,
            new CheapProofs(),
            Runnable::run,
            Invariants.all(ordeal.peers(), 0)
                .with(new ZonesKeepTheirBounds(ordeal.overlay()))
                .with(new QueriesEnd(ordeal.overlay()))
                .with(inspector));
  }

  public Simulation simulation() {
    return trial.simulation();
  }

  /** Queries that were answered. */
  public long answered() {
    return examiner.answered;
  }

  /** How long after the attack all was mended; negative if it was not. */
  public double healedSeconds() {
    return healedSeconds;
  }

  /** What is wrong at the end, in words; nothing if all is well. */
  public List<String> run() {
    double calm = ordeal.faults().untilSeconds();
    List<String> faults = List.of();
    for (double after = 0; after <= ordeal.healSeconds(); after += 1) {
      trial.runUntil(Ticks.ofSeconds(calm + after) + 1);
      faults = trial.structure().faults();
      if (faults.isEmpty()) {
        faults = exam();
        if (faults.isEmpty()) {
          healedSeconds = after;
          return faults;
        }
        after = Math.max(after, Ticks.toSeconds(trial.simulation().tick()) - calm);
      }
    }
    return faults;
  }

  /** Whoever is there finds everybody who is. */
  private List<String> exam() {
    examiner.exam = true;
    examiner.exams.clear();
    examiner.results.clear();
    List<PeerId> present = trial.present();
    long end = trial.simulation().tick() + Ticks.ofSeconds(EXAM_SECONDS);
    while (examiner.results.size() < present.size()
        && trial.simulation().tick() < end
        && trial.step()) {
      // Everything is in the step.
    }
    examiner.exam = false;
    List<String> faults = new ArrayList<>();
    for (PeerId peer : present) {
      List<Candidate> found = examiner.results.get(peer);
      if (found == null) {
        faults.add(peer + " was not answered");
      } else if (found.size() != present.size() - 1) {
        faults.add(peer + " found " + found.size() + " of " + (present.size() - 1) + " peers");
      }
    }
    return faults;
  }
}
