package io.kindred.lab.overlay;

import io.kindred.core.Ticks;
import io.kindred.lab.run.Progress;
import io.kindred.protocol.overlay.Candidacy;
import io.kindred.protocol.overlay.Proofs;
import io.kindred.world.TextFiles;
import io.kindred.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;

/** Carries out a study. */
public final class StudyRun {
  private static final double NANOS = 1e9;

  private final Study study;
  private final Population population;
  private final Inquiry inquiry;
  private final World world;
  private final Proofs proofs;
  private final Trial trial;

  public StudyRun(Study study, Population population, TextFiles files, ExecutorService pool) {
    this.study = study;
    this.population = population;
    world = study.world(files);
    inquiry = new Inquiry(study);
    proofs = Candidacy.proofs(study.seed(), study.peers());
    trial = new Trial(world, study.overlay(), population, inquiry, proofs, pool);
  }

  /** What was built; once {@link #run} is done. */
  public Structure structure() {
    return trial.structure();
  }

  public Figures run(Progress progress) {
    progress.begin("overlay", study.peers() + inquiry.expected(), 0);
    long start = System.nanoTime();
    Trial.prepare(proofs, study.seed(), study.peers());
    long proven = System.nanoTime();
    long built = proven;
    int shown = 0;
    while (trial.step()) {
      for (int done = trial.ready() + inquiry.answered(); shown < done; shown++) {
        progress.deployed();
        if (shown + 1 == study.peers()) {
          built = System.nanoTime();
        }
      }
    }
    long end = System.nanoTime();
    Structure structure = trial.structure();
    Figures figures =
        new Figures(
            study.peers(),
            study.overlay().zoneSize(),
            building(structure),
            searches(),
            new TreeMap<>(trial.volumes()),
            trial.simulation().counts(),
            new Figures.Time(
                (proven - start) / NANOS,
                (built - proven) / NANOS,
                (end - built) / NANOS,
                heapMegabytes()));
    progress.end("done");
    return figures;
  }

  private static double heapMegabytes() {
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
  }

  private Figures.Building building(Structure structure) {
    List<Long> state = structure.stateBytes();
    double peers = study.peers();
    return new Figures.Building(
        structure.depth(),
        structure.zones(1).size(),
        structure.clusters(1).size(),
        structure.clusters().size(),
        structure.roots().size(),
        Ticks.toSeconds(trial.readyTick()),
        trial.building().messages() / peers,
        trial.building().bytes() / peers,
        state.stream().mapToLong(Long::longValue).average().orElse(0),
        state.stream().mapToLong(Long::longValue).max().orElse(0),
        structure.stateBound(),
        structure.entries(),
        structure.faults().size());
  }

  private List<Figures.Search> searches() {
    List<Figures.Search> searches = new ArrayList<>();
    for (int i = 0; i < inquiry.questions().size(); i++) {
      searches.add(inquiry.figures(i, population, world.graph(), trial.searching(i)));
    }
    return searches;
  }
}
