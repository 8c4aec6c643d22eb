package io.kindred.experiment;

import io.kindred.core.random.RandomStreams;
import io.kindred.experiment.CheckpointFiles.Checkpoint;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.report.HtmlReport;
import io.kindred.report.PlotFiles;
import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import io.kindred.runtime.EngineResolution;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.Workers;
import io.kindred.runtime.adversary.WhoIsWho;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.InsufficientMemoryException;
import io.kindred.runtime.folder.ModelFiles;
import io.kindred.runtime.folder.RunEnvironment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.runtime.metrics.ClusterMetrics;
import io.kindred.runtime.metrics.Evaluator;
import io.kindred.runtime.metrics.MetricsFile;
import io.kindred.runtime.metrics.PeerGroups;
import io.kindred.runtime.metrics.PendingMetrics;
import io.kindred.runtime.metrics.Recorder;
import io.kindred.runtime.metrics.RoundTable;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.SimulationBuilder;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.oracle.ExactSearch;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Executes one experiment in a run folder, from the start or from the last checkpoint. */
public final class Run {
  /** How a run ended. */
  public enum Outcome {
    FINISHED,
    STOPPED
  }

  private static final String UNUSED_REMEDY = " (data.json in the run folder names each)";

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

  /** Starts a run in an empty folder, or resumes the run in the folder. */
  public Outcome execute(boolean resume) {
    boolean continued = resume && folder.hasRun();
    Experiment requested = continued ? EngineResolution.recorded(experiment, folder) : experiment;
    if (continued) {
      folder.requireSameConfiguration(configuration(requested));
      if (folder.isFinished()) {
        writeMissingReport();
        return Outcome.FINISHED;
      }
    }
    experiment.method().warnings(experiment.peers(), experiment.training()).forEach(warn);
    int threads =
        experiment.workers() > 0
            ? experiment.workers()
            : Runtime.getRuntime().availableProcessors();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory())) {
      try {
        pool.execute(requested.engine()::warmUp);
        // Assembled before the folder is created: an experiment that cannot run should leave no
        // files.
        SimulationBuilder builder = ExperimentAssembler.of(experiment, data);
        builder
            .environment()
            .network()
            .links()
            .warnings(builder.environment().graph())
            .forEach(warn);
        MemoryNeed.excess(experiment, builder.architecture(), Runtime.getRuntime().maxMemory())
            .ifPresent(warn);
        EngineResolution resolution = EngineResolution.of(requested, builder.architecture());
        EngineChoice engine = resolution.experiment().engine();
        resolution.line().ifPresent(progress::note);
        DataReading reading = builder.peerDatasets().dataset().reading();
        reading.unusedLine().ifPresent(line -> warn.accept(line + UNUSED_REMEDY));
        reading.unusedColumnsLine().ifPresent(warn);
        engine.prepare(System.getenv(), warn);
        if (!continued) {
          create(resolution, reading);
        }
        return execute(builder, new Workers(pool, builder.trainers(engine), System::nanoTime));
      } catch (IOException e) {
        throw new UncheckedIOException(
            "cannot continue the run in "
                + folder.path()
                + ": "
                + e.getMessage()
                + "; the files there are kept, and the same command resumes the run (run with"
                + " --resume)",
            e);
      } catch (OutOfMemoryError full) {
        throw new InsufficientMemoryException();
      } finally {
        // Computations whose results are no longer needed must not delay the end.
        pool.shutdownNow();
      }
    }
  }

  private static String configuration(Experiment experiment) {
    return ExperimentFile.resolvedYaml(experiment.withWorkers(0));
  }

  private void create(EngineResolution resolution, DataReading reading) {
    folder.create(configuration(resolution.experiment()));
    WhoIsWho.write(experiment, folder);
    folder.writeReading(reading);
    RunFolder.writeText(
        folder.environment(),
        Json.document(RunEnvironment.of(resolution.experiment(), resolution.reason())));
  }

  private Outcome execute(SimulationBuilder builder, Workers workers) throws IOException {
    SimulationSpec spec = builder.build();
    CheckpointFiles checkpoints = new CheckpointFiles(folder.checkpoints(), spec);
    Optional<Checkpoint> last = checkpoints.newest(warn);
    RoundTable table = RoundTable.of(experiment);
    try (MetricsFile metrics =
        new MetricsFile(folder.metrics(), last.map(Checkpoint::metricsLength).orElse(0L))) {
      long done = replayMetrics(table);
      Recorder recorder =
          new Recorder(
              experiment.evaluation(),
              spec.roundCompletion(),
              workers,
              new Evaluator(workers, builder.peerDatasets()),
              metrics,
              table,
              new ModelFiles(folder.models(), experiment.evaluation().saveModels()),
              progress,
              last.map(Checkpoint::pendingMetrics).orElseGet(PendingMetrics::empty),
              PeerGroups.planted(builder.peerDatasets()));
      RecallRecorder listener =
          new RecallRecorder(recorder, experiment.evaluation(), experiment.rounds(), workers);
      ShellService service = new ExactSearch(new RandomStreams(experiment.seed()));
      Simulation simulation =
          last.map(
                  checkpoint ->
                      new Simulation(
                          spec,
                          workers,
                          listener,
                          service,
                          StepListener.NONE,
                          checkpoint.snapshot()))
              .orElseGet(() -> new Simulation(spec, workers, listener, service, StepListener.NONE));
      progress.begin(
          experiment.method().getClass().getSimpleName(),
          (long) experiment.peers() * experiment.rounds(),
          done);
      SpentTime before = last.map(Checkpoint::spent).orElse(SpentTime.NONE);
      return stepToEnd(simulation, builder, recorder, checkpoints, workers, before, table);
    }
  }

  /**
   * Fills the round table from the metrics on disk; returns the number of progress steps they
   * cover.
   */
  private long replayMetrics(RoundTable table) {
    long[] mixed = new long[1];
    MetricsFile.read(
        folder.metrics(),
        line -> {
          table.add(line);
          mixed[0] += line.stage().equals("mixed") ? experiment.evaluation().every() : 0;
        });
    return mixed[0];
  }

  private Outcome stepToEnd(
      Simulation simulation,
      SimulationBuilder builder,
      Recorder recorder,
      CheckpointFiles checkpoints,
      Workers workers,
      SpentTime before,
      RoundTable table)
      throws IOException {
    long start = System.nanoTime();
    CheckpointWriter writer = new CheckpointWriter(checkpoints, workers, start);
    while (!stop.requested() && simulation.step()) {
      long now = System.nanoTime();
      if (writer.isDue(now)) {
        writer.start(checkpoint(simulation, recorder, spent(before, workers, start)), now);
      }
    }
    writer.finish();
    if (stop.requested()) {
      checkpoints.write(checkpoint(simulation, recorder, spent(before, workers, start)));
      progress.end("stopped");
      return Outcome.STOPPED;
    }
    recorder.sync();
    SpentTime spent = spent(before, workers, start);
    progress.end("done");
    RunFolder.writeText(folder.rounds(), table.csv(simulation.traffic().rounds()));
    new RunArtifactWriter(experiment, folder, builder).write(simulation, table);
    RunFolder.writeText(
        folder.summary(),
        Json.document(
            new SimulationSummary(experiment, simulation)
                .of(
                    table,
                    ClusterMetrics.of(
                        table.clusters(), builder.peerDatasets(), recorder.pendingMetrics()),
                    recorder.resultHash(),
                    spent)));
    writeReport(folder);
    folder.deleteCheckpoints();
    return Outcome.FINISHED;
  }

  private static SpentTime spent(SpentTime before, Workers workers, long start) {
    return before.plus(SpentTime.of(workers, (System.nanoTime() - start) / 1e9));
  }

  private static Checkpoint checkpoint(Simulation simulation, Recorder recorder, SpentTime spent) {
    long metricsLength = recorder.sync();
    return new Checkpoint(
        simulation.snapshot(), metricsLength, spent, recorder.pendingMetrics().copy());
  }

  /** The summary is written before the plots, so an interrupted run may have only the former. */
  private void writeMissingReport() {
    try {
      if (!Files.exists(folder.report())) {
        writeReport(folder);
      }
      folder.deleteCheckpoints();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder.path(), e);
    }
  }

  /** Draws the figures and the HTML page of a finished run from the files in its folder. */
  public static void writeReport(RunFolder folder) throws IOException {
    List<RunRecord> runs = List.of(new RunReader().read(folder.path()));
    PlotFiles.write(folder.plots(), runs);
    new HtmlReport(String.valueOf(folder.path().getFileName()), runs).write(folder.report());
  }
}
