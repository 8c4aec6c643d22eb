package io.kindred.lab.run;

import io.kindred.core.random.RandomStreams;
import io.kindred.files.json.Json;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.lab.report.HtmlReport;
import io.kindred.lab.report.PlotFiles;
import io.kindred.lab.report.RunReader;
import io.kindred.lab.report.RunRecord;
import io.kindred.lab.run.CheckpointFiles.Checkpoint;
import io.kindred.learning.data.DataFiles;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.Scene;
import io.kindred.simulator.Setup;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.Workers;
import io.kindred.simulator.oracle.ExactSearch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** One run from its experiment to its folder, from the beginning or from the last checkpoint. */
public final class Run {
  /** How a run ended. */
  public enum Outcome {
    FINISHED,
    STOPPED
  }

  /**
   * A checkpoint may take this share of the time: the next is due after so many times what the last
   * one took.
   */
  private static final int CHECKPOINT_SPACING = 20;

  private static final double LEAST_SECONDS_BETWEEN_CHECKPOINTS = 1;

  private final Experiment experiment;
  private final RunFolder folder;
  private final Progress progress;
  private final StopSignal stop;
  private final Consumer<String> warn;
  private final DataFiles data;

  public Run(
      Experiment experiment,
      RunFolder folder,
      Progress progress,
      StopSignal stop,
      Consumer<String> warn,
      DataFiles data) {
    this.experiment = experiment;
    this.folder = folder;
    this.progress = progress;
    this.stop = stop;
    this.warn = warn;
    this.data = data;
  }

  /** Starts a run in an empty folder, or goes on with the one that is there. */
  public Outcome execute(boolean resume) {
    String configuration = ExperimentFile.resolved(experiment.withWorkers(0));
    if (resume && folder.hasRun()) {
      folder.requireSame(configuration);
      if (folder.isFinished()) {
        completeWhereMissing();
        return Outcome.FINISHED;
      }
    }
    int threads =
        experiment.workers() > 0
            ? experiment.workers()
            : Runtime.getRuntime().availableProcessors();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory())) {
      try {
        pool.execute(experiment.engine()::warmUp);
        // Before the folder is touched: a request that cannot be met should leave nothing behind.
        Setup setup = Assembly.of(experiment, data);
        experiment.engine().prepare(System.getenv(), warn);
        if (!resume || !folder.hasRun()) {
          folder.begin(configuration);
          RunFolder.writeText(folder.environment(), Json.document(Environment.of(experiment)));
        }
        return execute(
            setup, new Workers(pool, setup.trainers(experiment.engine()), System::nanoTime));
      } catch (IOException e) {
        throw new UncheckedIOException(
            "cannot go on in "
                + folder.path()
                + ": "
                + e.getMessage()
                + "; what is there stays, and the same command goes on from it (run with --resume)",
            e);
      } catch (OutOfMemoryError full) {
        throw new NoRoomException();
      } finally {
        // Work that nobody waits for any more must not hold up the end.
        pool.shutdownNow();
      }
    }
  }

  private Outcome execute(Setup setup, Workers workers) throws IOException {
    Scene scene = setup.scene();
    CheckpointFiles checkpoints = new CheckpointFiles(folder.checkpoints(), scene);
    Optional<Checkpoint> last = checkpoints.newest(warn);
    RoundTable table = new RoundTable(experiment.evaluation().count(experiment.peers()));
    try (MetricsFile metrics =
        new MetricsFile(folder.metrics(), last.map(Checkpoint::metricsLength).orElse(0L))) {
      long done = replay(table);
      Recorder recorder =
          new Recorder(
              experiment.evaluation(),
              experiment.rounds(),
              workers,
              new Evaluator(workers, setup.holdings()),
              metrics,
              table,
              new ModelFiles(folder.models(), experiment.evaluation().saveModels()),
              progress,
              last.map(Checkpoint::unwritten).orElseGet(Unwritten::nothing));
      RecallRecorder watcher =
          new RecallRecorder(recorder, experiment.evaluation(), experiment.rounds());
      ShellService service = new ExactSearch(new RandomStreams(experiment.seed()));
      Simulation simulation =
          last.map(
                  checkpoint ->
                      new Simulation(
                          scene, workers, watcher, service, Inspector.NONE, checkpoint.cut()))
              .orElseGet(() -> new Simulation(scene, workers, watcher, service, Inspector.NONE));
      progress.begin(
          experiment.method().getClass().getSimpleName(),
          (long) experiment.peers() * experiment.rounds(),
          done);
      SpentTime before = last.map(Checkpoint::spent).orElse(SpentTime.NONE);
      return drive(simulation, setup, recorder, checkpoints, workers, before, table);
    }
  }

  /**
   * Brings the table to where the metrics are; answers how many steps of the run they stand for.
   */
  private long replay(RoundTable table) {
    long[] mixed = new long[1];
    MetricsFile.read(
        folder.metrics(),
        line -> {
          table.add(line);
          mixed[0] += line.stage().equals("mixed") ? experiment.evaluation().every() : 0;
        });
    return mixed[0];
  }

  private Outcome drive(
      Simulation simulation,
      Setup setup,
      Recorder recorder,
      CheckpointFiles checkpoints,
      Workers workers,
      SpentTime before,
      RoundTable table)
      throws IOException {
    long start = System.nanoTime();
    long due = start + seconds(LEAST_SECONDS_BETWEEN_CHECKPOINTS);
    while (!stop.requested() && simulation.step()) {
      long now = System.nanoTime();
      if (now - due >= 0) {
        save(simulation, recorder, checkpoints, spent(before, workers, start));
        long end = System.nanoTime();
        due =
            end
                + Math.max(
                    seconds(LEAST_SECONDS_BETWEEN_CHECKPOINTS), CHECKPOINT_SPACING * (end - now));
      }
    }
    if (stop.requested()) {
      save(simulation, recorder, checkpoints, spent(before, workers, start));
      progress.end("stopped");
      return Outcome.STOPPED;
    }
    recorder.sync();
    SpentTime spent = spent(before, workers, start);
    progress.end("done");
    RunFolder.writeText(folder.rounds(), table.csv(simulation.traffic().rounds()));
    new Portrait(folder, setup).write(simulation, table);
    RunFolder.writeText(
        folder.summary(),
        Json.document(
            new SimulationSummary(experiment, simulation)
                .of(
                    table,
                    ClusterFigures.of(table.clusters(), setup.holdings(), recorder.unwritten()),
                    spent)));
    draw(folder);
    folder.forgetCheckpoints();
    return Outcome.FINISHED;
  }

  private static long seconds(double count) {
    return (long) (count * 1e9);
  }

  private static SpentTime spent(SpentTime before, Workers workers, long start) {
    return before.plus(SpentTime.of(workers, (System.nanoTime() - start) / 1e9));
  }

  private static void save(
      Simulation simulation, Recorder recorder, CheckpointFiles checkpoints, SpentTime spent)
      throws IOException {
    long metricsLength = recorder.sync();
    checkpoints.write(new Checkpoint(simulation.cut(), metricsLength, spent, recorder.unwritten()));
  }

  /** The summary comes before the pictures, so a run may have died between the two. */
  private void completeWhereMissing() {
    try {
      if (!Files.exists(folder.report())) {
        draw(folder);
      }
      folder.forgetCheckpoints();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder.path(), e);
    }
  }

  /** Draws the figures and the page of a finished run from the files in its folder. */
  public static void draw(RunFolder folder) throws IOException {
    List<RunRecord> runs = List.of(new RunReader().read(folder.path()));
    PlotFiles.write(folder.plots(), runs);
    new HtmlReport(String.valueOf(folder.path().getFileName()), runs).write(folder.report());
  }
}
