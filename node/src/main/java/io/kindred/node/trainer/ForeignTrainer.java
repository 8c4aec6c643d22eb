package io.kindred.node.trainer;

import io.kindred.core.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.core.weights.Flat;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.DataView.Selection;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.files.OperatorException;
import io.kindred.learning.training.Holdings;
import io.kindred.learning.training.Score;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.Cast;
import io.kindred.methods.Training;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Hands tickets that need data on to another process, and opens those that are arithmetic by
 * itself. Any number of threads may ask; the process has one piece of work at a time.
 */
public final class ForeignTrainer implements Trainer, AutoCloseable {
  private static final long FIRST_PAUSE_MILLIS = 200;

  private final TrainerKeeper keeper;
  private final Holdings holdings;
  private final RandomStreams streams;
  private final int width;
  private final Consumer<String> log;

  private ForeignTrainer(TrainerKeeper keeper, Holdings holdings, Cast cast, Consumer<String> log) {
    this.keeper = keeper;
    this.holdings = holdings;
    this.streams = new RandomStreams(cast.seed());
    this.width = cast.architecture().outputs();
    this.log = log;
  }

  /**
   * Starts the trainer of a peer, or finds it, and refuses one that cannot do what the method
   * needs.
   *
   * @param home where its command is run
   * @param folder where its log goes and the samples that it is handed
   */
  public static ForeignTrainer start(
      TrainerSettings settings, Path home, Path folder, Cast cast, int peer, Consumer<String> log) {
    if (peer >= cast.holdings().peers().size()) {
      throw new Complaint(
          "trainer", "a server has no data to train on", "leave trainer out on this node");
    }
    TrainerLife.Source source =
        settings.address().isPresent()
            ? new RunningTrainer(TrainerAddress.parse(settings.address().get()))
            : new TrainerProcess(
                settings.command(), home, folder.resolve("trainer.log"), settings.startSeconds());
    try {
      return start(
          settings, source, folder.resolve("trainer"), FIRST_PAUSE_MILLIS, cast, peer, log);
    } catch (RuntimeException refused) {
      source.close();
      throw refused;
    }
  }

  /** With lives from anywhere. */
  static ForeignTrainer start(
      TrainerSettings settings,
      TrainerLife.Source source,
      Path dataFolder,
      long pauseMillis,
      Cast cast,
      int peer,
      Consumer<String> log) {
    boolean handed = settings.data() == TrainerSettings.Data.HANDED;
    String file =
        handed ? HandedData.write(dataFolder, cast.holdings(), new PeerId(peer)).toString() : "";
    TrainerKeeper keeper;
    try {
      keeper =
          new TrainerKeeper(
              source,
              new TrainerKeeper.Patience(
                  settings.seconds(), settings.startSeconds(), settings.attempts(), pauseMillis),
              Requests.hello(cast.architecture(), cast.holdings().dataset().shape(), peer, file),
              log);
    } catch (TrainerFault fault) {
      throw new Complaint(
          "trainer", String.valueOf(fault.getMessage()), "see what it says in trainer.log");
    }
    try {
      Messages.HelloReply hello = keeper.hello();
      Holdings holdings =
          handed
              ? requireAll(cast.holdings(), peer, hello)
              : OwnData.holdings(cast.holdings(), peer, hello);
      requireOffered(hello, needs(cast));
      log.accept(
          "trainer '%s' offers %s; %d samples to train on"
              .formatted(hello.name(), String.join(", ", hello.offers()), hello.trainSamples()));
      return new ForeignTrainer(keeper, holdings, cast, log);
    } catch (RuntimeException refused) {
      keeper.close();
      throw refused;
    }
  }

  private static SortedSet<String> needs(Cast cast) {
    SortedSet<String> needs = Requests.neededFor(cast.method().needs());
    if (cast.training().optimizer() == Training.Rule.ADAMW) {
      needs.add("adamw");
    }
    return needs;
  }

  private static Holdings requireAll(Holdings holdings, int peer, Messages.HelloReply hello) {
    int handed = holdings.peers().get(peer).train().size();
    if (hello.trainSamples() != handed) {
      throw new Complaint(
          "trainer",
          "it was handed %d samples to train on and has %d".formatted(handed, hello.trainSamples()),
          "let it read the file that it is told, or set trainer.data: own");
    }
    return holdings;
  }

  private static void requireOffered(Messages.HelloReply hello, SortedSet<String> needed) {
    List<String> missing = needed.stream().filter(each -> !hello.offers().contains(each)).toList();
    if (!missing.isEmpty()) {
      throw new Complaint(
          "trainer",
          "the method needs %s, and the trainer '%s' offers %s"
              .formatted(String.join(", ", missing), hello.name(), hello.offers()),
          "choose another method, or teach the trainer");
    }
  }

  /** What the peer has to train on: as planned, or what the trainer told of its own. */
  public Holdings holdings() {
    return holdings;
  }

  @Override
  public Result perform(PeerId peer, Ticket ticket) {
    return switch (ticket) {
      case Ticket.Train train -> train(peer, train);
      case Ticket.Losses losses -> losses(peer, losses);
      case Ticket.Outputs outputs -> outputs(peer, outputs);
      case Ticket.Mix(Mixture mixture) -> new Result.Mixed(Flat.mix(mixture));
      case Ticket.Call call -> new Result.Answered(call.function().apply());
    };
  }

  private Result.Trained train(PeerId peer, Ticket.Train ticket) {
    if (holdings.count(peer, ticket.view()) == 0) {
      return new Result.Trained(ticket.from(), 0, 0);
    }
    return ask("training", Requests.neededFor(ticket), session -> train(session, ticket));
  }

  private Result.Trained train(Session session, Ticket.Train ticket) {
    long seed = streams.stream(ticket.shuffle()).nextLong();
    Requests.Training training = Requests.training(ticket, seed);
    training.vectors().forEach(session::set);
    Messages.TrainReply reply = session.train(training.request());
    if (!Double.isFinite(reply.loss()) || reply.samples() < 0) {
      throw new TrainerFault(
          "Train tells a loss of %s over %d samples".formatted(reply.loss(), reply.samples()));
    }
    float[] trained = session.get(Session.MODEL, ticket.from().size());
    return new Result.Trained(
        Weights.wrap(ticket.from().layout(), trained), reply.loss(), reply.samples());
  }

  private Result.Losses losses(PeerId peer, Ticket.Losses ticket) {
    SortedSet<String> needed = Requests.neededFor(ticket.view());
    needed.add("losses");
    int count = holdings.count(peer, ticket.view());
    List<Floats> perMixture = new ArrayList<>();
    for (Mixture mixture : ticket.mixtures()) {
      float[] losses =
          ask(
              "losses",
              needed,
              session -> {
                session.set(Session.MODEL, Flat.mix(mixture).shared());
                return session.losses(Requests.view(ticket.view()), count);
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
    double weightSum = 0;
    for (int row = 0; row < losses.length; row++) {
      double weight =
          view.selection() instanceof Selection.Weighted(Floats weights) ? weights.get(row) : 1;
      sum += weight * losses[row];
      weightSum += weight;
    }
    return sum / weightSum;
  }

  private Result.Outputs outputs(PeerId peer, Ticket.Outputs ticket) {
    SortedSet<String> needed = Requests.neededFor(ticket.view());
    needed.add("outputs");
    int count = Math.multiplyExact(width, holdings.count(peer, ticket.view()));
    float[] values =
        ask(
            "outputs",
            needed,
            session -> {
              session.set(Session.MODEL, Flat.mix(ticket.mixture()).shared());
              return session.outputs(Requests.view(ticket.view()), count);
            });
    return new Result.Outputs(width, Floats.wrap(values));
  }

  private <T> T ask(String what, SortedSet<String> needed, Function<Session, T> work) {
    requireOffered(keeper.hello(), needed);
    return keeper.ask(what, work);
  }

  /**
   * As the trainer judges it. Figures that cannot be had are told in a line and left out; training
   * goes on without them.
   */
  @Override
  public Score score(PeerId peer, Predictor predictor, TestSet on) {
    Messages.HelloReply hello = keeper.hello();
    int samples = on == TestSet.OWN ? hello.testSamples() : hello.commonSamples();
    if (samples == 0 || !hello.offers().contains("evaluate")) {
      return unknown();
    }
    Messages.View view = Requests.view(on == TestSet.OWN ? "test" : "common");
    try {
      return switch (predictor) {
        case Predictor.Single(Weights weights) -> score(weights, view, samples);
        case Predictor.Adapted(Ticket.Train adaptation) ->
            score(train(peer, adaptation).weights(), view, samples);
        case Predictor.Ensemble _ ->
            throw new OperatorException(
                OperatorException.FAILED, "a trainer judges no ensemble of models");
      };
    } catch (OperatorException | Complaint failed) {
      log.accept("no figures of this model: " + failed.getMessage());
      return unknown();
    }
  }

  private Score score(Weights weights, Messages.View view, int samples) {
    Messages.EvaluateReply reply =
        keeper.ask(
            "evaluation",
            session -> {
              session.set(Session.MODEL, weights.shared());
              Messages.EvaluateReply told = session.evaluate(view);
              if (told.samples() != samples) {
                throw new TrainerFault(
                    "Evaluate saw %d samples instead of %d".formatted(told.samples(), samples));
              }
              return told;
            });
    SortedMap<String, Double> errors = new TreeMap<>();
    reply.errors().forEach(figure -> errors.put(figure.name(), figure.value()));
    return new Score(
        reply.loss(), errors.isEmpty() ? reply.accuracy() : Double.NaN, errors, samples);
  }

  private static Score unknown() {
    return new Score(Double.NaN, Double.NaN, new TreeMap<>(), 0);
  }

  /** Ends the trainer, if the node started it. */
  @Override
  public void close() {
    keeper.close();
  }
}
