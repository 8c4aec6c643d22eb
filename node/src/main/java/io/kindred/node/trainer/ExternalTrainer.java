package io.kindred.node.trainer;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.DataView.Selection;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.LocalTraining;
import io.kindred.learning.training.EvaluationResult;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.methods.contract.Training;
import io.kindred.node.trainer.contract.TrainerMessages;
import io.kindred.storage.OperatorException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Forwards tickets that need data to an external process, and computes the others, which are
 * arithmetic, by itself. Any number of threads may call this trainer; the process gets one piece of
 * work at a time.
 */
public final class ExternalTrainer implements Trainer, AutoCloseable {
  private static final long FIRST_BACKOFF_MILLIS = 200;

  private final TrainerSupervisor supervisor;
  private final PeerDatasets datasets;
  private final RandomStreams streams;
  private final int outputWidth;
  private final Consumer<String> log;

  private ExternalTrainer(
      TrainerSupervisor supervisor,
      PeerDatasets datasets,
      PeerFactory factory,
      Consumer<String> log) {
    this.supervisor = supervisor;
    this.datasets = datasets;
    this.streams = new RandomStreams(factory.seed());
    this.outputWidth = factory.architecture().outputs();
    this.log = log;
  }

  /**
   * Starts the trainer of a peer, or connects to a running one, and refuses a trainer that lacks a
   * capability that the method needs.
   *
   * @param workingDirectory where the trainer's command is run
   * @param folder for the trainer's log and the samples that it is handed
   */
  public static ExternalTrainer start(
      TrainerSettings settings,
      Path workingDirectory,
      Path folder,
      PeerFactory factory,
      int peer,
      Consumer<String> log) {
    if (peer >= factory.datasets().splits().size()) {
      throw new SettingException(
          "trainer", "a server has no data to train on", "leave trainer out on this node");
    }
    TrainerInstance.Source source =
        settings.address().isPresent()
            ? new RunningTrainer(TrainerAddress.parse(settings.address().get()))
            : new TrainerProcess(
                settings.command(),
                workingDirectory,
                folder.resolve("trainer.log"),
                settings.startSeconds());
    try {
      return start(
          settings, source, folder.resolve("trainer"), FIRST_BACKOFF_MILLIS, factory, peer, log);
    } catch (RuntimeException refused) {
      source.close();
      throw refused;
    }
  }

  /** Starts with instances from any source. */
  static ExternalTrainer start(
      TrainerSettings settings,
      TrainerInstance.Source source,
      Path dataFolder,
      long backoffMillis,
      PeerFactory factory,
      int peer,
      Consumer<String> log) {
    if (factory.training().augment()) {
      throw new SettingException(
          "training.augment",
          "only the built-in engines change training pictures, and this node has a trainer",
          "leave training.augment out and let the trainer change the pictures, or leave trainer out");
    }
    boolean handed = settings.data() == TrainerSettings.Data.HANDED;
    String file =
        handed
            ? TrainerDataFile.write(dataFolder, factory.datasets(), new PeerId(peer)).toString()
            : "";
    TrainerSupervisor supervisor;
    try {
      supervisor =
          new TrainerSupervisor(
              source,
              new TrainerSupervisor.RestartPolicy(
                  settings.seconds(), settings.startSeconds(), settings.attempts(), backoffMillis),
              TrainerRequests.hello(
                  factory.architecture(), factory.datasets().dataset().shape(), peer, file),
              log);
    } catch (TrainerFault fault) {
      throw new SettingException(
          "trainer", String.valueOf(fault.getMessage()), "see what it says in trainer.log");
    }
    try {
      TrainerMessages.HelloReply hello = supervisor.hello();
      PeerDatasets datasets =
          handed
              ? requireAllSamples(factory.datasets(), peer, hello)
              : TrainerOwnedData.datasets(factory.datasets(), peer, hello);
      requireCapabilities(hello, requiredCapabilities(factory));
      log.accept(
          "trainer '%s' offers %s; %d samples to train on"
              .formatted(
                  hello.getName(),
                  String.join(", ", hello.getOffersList()),
                  hello.getTrainSamples()));
      return new ExternalTrainer(supervisor, datasets, factory, log);
    } catch (RuntimeException refused) {
      supervisor.close();
      throw refused;
    }
  }

  private static SortedSet<String> requiredCapabilities(PeerFactory factory) {
    SortedSet<String> needed = TrainerRequests.requiredCapabilities(factory.ticketKinds());
    if (factory.training().optimizer() == Training.Rule.ADAMW) {
      needed.add("adamw");
    }
    if (factory.training().velocity() == Training.Velocity.KEEP) {
      needed.add(TrainerRequests.VELOCITY);
    }
    return needed;
  }

  private static PeerDatasets requireAllSamples(
      PeerDatasets datasets, int peer, TrainerMessages.HelloReply hello) {
    int handed = datasets.splits().get(peer).train().size();
    if (hello.getTrainSamples() != handed) {
      throw new SettingException(
          "trainer",
          "it was handed %d samples to train on and has %d"
              .formatted(handed, hello.getTrainSamples()),
          "let it read the file that it is told, or set trainer.data: own");
    }
    return datasets;
  }

  private static void requireCapabilities(
      TrainerMessages.HelloReply hello, SortedSet<String> needed) {
    List<String> missing =
        needed.stream().filter(each -> !hello.getOffersList().contains(each)).toList();
    if (!missing.isEmpty()) {
      throw new SettingException(
          "trainer",
          "the method needs %s, and the trainer '%s' offers %s"
              .formatted(String.join(", ", missing), hello.getName(), hello.getOffersList()),
          "choose another method, or teach the trainer");
    }
  }

  /** The samples of the peer: as planned, or as the trainer reported its own. */
  public PeerDatasets datasets() {
    return datasets;
  }

  @Override
  public Result perform(PeerId peer, Ticket ticket) {
    return switch (ticket) {
      case Ticket.Train train -> train(peer, train);
      case Ticket.Losses losses -> losses(peer, losses);
      case Ticket.Outputs outputs -> outputs(peer, outputs);
      case Ticket.Mix(Mixture mixture) -> new Result.Mixed(VectorKernels.mix(mixture));
      case Ticket.Call call -> new Result.Answered(call.function().apply());
    };
  }

  private Result.Trained train(PeerId peer, Ticket.Train ticket) {
    if (datasets.count(peer, ticket.view()) == 0) {
      return LocalTraining.untrained(ticket);
    }
    return callTrainer(
        "training",
        TrainerRequests.requiredCapabilities(ticket),
        session -> train(session, ticket));
  }

  private Result.Trained train(TrainerSession session, Ticket.Train ticket) {
    long seed = streams.stream(ticket.shuffle()).nextLong();
    TrainerRequests.TrainingRequest trainingRequest = TrainerRequests.training(ticket, seed);
    trainingRequest.vectors().forEach(session::setWeights);
    TrainerMessages.TrainReply reply = session.train(trainingRequest.request());
    if (!Double.isFinite(reply.getLoss()) || reply.getSamples() < 0) {
      throw new TrainerFault(
          "Train tells a loss of %s over %d samples"
              .formatted(reply.getLoss(), reply.getSamples()));
    }
    float[] trained = session.getWeights(TrainerSession.MODEL_VECTOR, ticket.from().size());
    return new Result.Trained(
        Weights.wrap(ticket.from().layout(), trained),
        reply.getLoss(),
        reply.getSamples(),
        ticket.returnsVelocity() ? Optional.of(velocity(session, ticket)) : Optional.empty());
  }

  private static Weights velocity(TrainerSession session, Ticket.Train ticket) {
    return Weights.wrap(
        ticket.from().layout(),
        session.getWeights(TrainerSession.VELOCITY_VECTOR, ticket.from().size()));
  }

  private Result.Losses losses(PeerId peer, Ticket.Losses ticket) {
    SortedSet<String> needed = TrainerRequests.requiredCapabilities(ticket.view());
    needed.add("losses");
    int count = datasets.count(peer, ticket.view());
    List<Floats> perMixture = new ArrayList<>();
    for (Mixture mixture : ticket.mixtures()) {
      float[] losses =
          callTrainer(
              "losses",
              needed,
              session -> {
                session.setWeights(
                    TrainerSession.MODEL_VECTOR, VectorKernels.mix(mixture).shared());
                return session.losses(TrainerRequests.view(ticket.view()), count);
              });
      perMixture.add(
          switch (ticket.detail()) {
            case PER_SAMPLE -> Floats.wrap(losses);
            case MEAN -> Floats.of((float) mean(losses, ticket.view()));
          });
    }
    return new Result.Losses(perMixture);
  }

  private static double mean(float[] losses, DataView view) {
    double sum = 0;
    for (int row = 0; row < losses.length; row++) {
      double weight =
          view.selection() instanceof Selection.Weighted(Floats weights) ? weights.get(row) : 1;
      sum += weight * losses[row];
    }
    return sum / losses.length;
  }

  private Result.Outputs outputs(PeerId peer, Ticket.Outputs ticket) {
    SortedSet<String> needed = TrainerRequests.requiredCapabilities(ticket.view());
    needed.add("outputs");
    int count = Math.multiplyExact(outputWidth, datasets.count(peer, ticket.view()));
    float[] values =
        callTrainer(
            "outputs",
            needed,
            session -> {
              session.setWeights(
                  TrainerSession.MODEL_VECTOR, VectorKernels.mix(ticket.mixture()).shared());
              return session.outputs(TrainerRequests.view(ticket.view()), count);
            });
    return new Result.Outputs(outputWidth, Floats.wrap(values));
  }

  private <T> T callTrainer(
      String what, SortedSet<String> needed, Function<TrainerSession, T> work) {
    requireCapabilities(supervisor.hello(), needed);
    return supervisor.callWithRestarts(what, work);
  }

  /**
   * The score that the external trainer computes. A score that cannot be computed is logged and
   * left out; training goes on without it.
   */
  @Override
  public EvaluationResult evaluate(PeerId peer, Predictor predictor, TestSet on) {
    TrainerMessages.HelloReply hello = supervisor.hello();
    int samples =
        switch (on) {
          case OWN -> hello.getTestSamples();
          case COMMON -> hello.getCommonSamples();
          // The trigger of a back door exists in the samples of a simulation only.
          case TRIGGERED -> 0;
        };
    if (samples <= 0 || !hello.getOffersList().contains("evaluate")) {
      return unknownScore();
    }
    TrainerMessages.View view = TrainerRequests.view(on == TestSet.OWN ? "test" : "common");
    try {
      return switch (predictor) {
        case Predictor.Single(Weights weights) -> score(weights, view, samples);
        case Predictor.Adapted(Ticket.Train adaptation) ->
            score(train(peer, adaptation).weights(), view, samples);
        case Predictor.Ensemble _ ->
            throw new OperatorException(
                OperatorException.FAILED, "a trainer judges no ensemble of models");
      };
    } catch (OperatorException | SettingException failed) {
      log.accept("no figures of this model: " + failed.getMessage());
      return unknownScore();
    }
  }

  private EvaluationResult score(Weights weights, TrainerMessages.View view, int samples) {
    TrainerMessages.EvaluateReply reply =
        supervisor.callWithRestarts(
            "evaluation",
            session -> {
              session.setWeights(TrainerSession.MODEL_VECTOR, weights.shared());
              TrainerMessages.EvaluateReply evaluation = session.evaluate(view);
              if (evaluation.getSamples() != samples) {
                throw new TrainerFault(
                    "Evaluate saw %d samples instead of %d"
                        .formatted(evaluation.getSamples(), samples));
              }
              return evaluation;
            });
    SortedMap<String, Double> errors = new TreeMap<>();
    reply.getErrorsList().forEach(figure -> errors.put(figure.getName(), figure.getValue()));
    return new EvaluationResult(
        reply.getLoss(), errors.isEmpty() ? reply.getAccuracy() : Double.NaN, errors, samples);
  }

  private static EvaluationResult unknownScore() {
    return new EvaluationResult(Double.NaN, Double.NaN, new TreeMap<>(), 0);
  }

  /** Stops the trainer, if the node started it. */
  @Override
  public void close() {
    supervisor.close();
  }
}
