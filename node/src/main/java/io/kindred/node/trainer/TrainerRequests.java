package io.kindred.node.trainer;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.DataView.Selection;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Ticket;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.learning.model.Architecture;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Translates tickets into the messages of {@code trainer.proto}, and names the capabilities that a
 * trainer needs for them.
 */
final class TrainerRequests {
  /** A training request and the vectors that it names. */
  record TrainingRequest(
      TrainerMessages.TrainRequest request, SortedMap<String, float[]> vectors) {}

  private TrainerRequests() {}

  static TrainerMessages.HelloRequest hello(
      Architecture architecture, List<Integer> inputShape, long peer, String dataFile) {
    return new TrainerMessages.HelloRequest(
        TrainerMessages.VERSION,
        peer,
        architecture.layout().blocks().stream().map(TrainerRequests::block).toList(),
        architecture.layers().stream()
            .map(each -> lowerCase(each.getClass().getSimpleName()))
            .toList(),
        lowerCase(architecture.task().name()),
        ints(inputShape),
        architecture.outputs(),
        dataFile);
  }

  private static TrainerMessages.Block block(Layout.Block block) {
    return new TrainerMessages.Block(block.name(), ints(block.shape()), block.trained());
  }

  private static Ints ints(List<Integer> values) {
    return Ints.wrap(values.stream().mapToInt(Integer::intValue).toArray());
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static TrainerMessages.View view(String split) {
    return new TrainerMessages.View(split, "all", Ints.of(), Floats.of());
  }

  static TrainerMessages.View view(DataView view) {
    String split = lowerCase(view.split().name());
    return switch (view.selection()) {
      case Selection.All() -> view(split);
      case Selection.Subset(Ints indices) ->
          new TrainerMessages.View(split, "some", indices, Floats.of());
      case Selection.Weighted(Floats weights) ->
          new TrainerMessages.View(split, "weighted", Ints.of(), weights);
    };
  }

  /** The request for a ticket, with the vectors that it names. */
  static TrainingRequest training(Ticket.Train ticket, long seed) {
    SortedMap<String, float[]> vectors = new TreeMap<>();
    vectors.put(TrainerSession.MODEL_VECTOR, ticket.from().shared());
    List<TrainerMessages.Proximal> proximal = new ArrayList<>();
    List<TrainerMessages.Cosine> cosine = new ArrayList<>();
    for (Objective.Term term : ticket.objective().terms()) {
      String number = "-" + (proximal.size() + cosine.size());
      switch (term) {
        case Objective.Term.Proximal proximalTerm -> {
          vectors.put("anchor" + number, proximalTerm.anchor().shared());
          proximal.add(new TrainerMessages.Proximal("anchor" + number, proximalTerm.mu()));
        }
        case Objective.Term.Cosine cosineTerm -> {
          vectors.put("origin" + number, cosineTerm.origin().shared());
          vectors.put("target" + number, cosineTerm.target().shared());
          cosine.add(
              new TrainerMessages.Cosine(
                  "origin" + number, "target" + number, cosineTerm.lambda()));
        }
      }
    }
    TrainerMessages.TrainRequest request =
        new TrainerMessages.TrainRequest(
            view(ticket.view()),
            ticket.batch(),
            ticket.duration() instanceof Ticket.Duration.Epochs(int count) ? count : 0,
            ticket.duration() instanceof Ticket.Duration.Steps(int count) ? count : 0,
            optimizer(ticket.optimizer()),
            proximal,
            cosine,
            ticket.objective().lookahead(),
            ticket.objective().layers(),
            seed);
    return new TrainingRequest(request, vectors);
  }

  private static TrainerMessages.Optimizer optimizer(Optimizer optimizer) {
    double rate = optimizer.learningRate();
    double decay = optimizer.weightDecay();
    return switch (optimizer.rule()) {
      case Optimizer.Rule.Sgd(double momentum, boolean nesterov) ->
          new TrainerMessages.Optimizer(
              "sgd", rate, decay, optimizer.clip(), momentum, nesterov, 0, 0, 0);
      case Optimizer.Rule.AdamW(double first, double second, double epsilon) ->
          new TrainerMessages.Optimizer(
              "adamw", rate, decay, optimizer.clip(), 0, false, first, second, epsilon);
    };
  }

  /**
   * The capabilities that a method's tickets require; the node itself computes mixtures and pure
   * functions.
   */
  static SortedSet<String> requiredCapabilities(SortedSet<Ticket.Kind> kinds) {
    SortedSet<String> needed = new TreeSet<>();
    for (Ticket.Kind kind : kinds) {
      switch (kind) {
        case TRAIN, LOSSES, OUTPUTS -> needed.add(lowerCase(kind.name()));
        case MIX, CALL -> {}
      }
    }
    return needed;
  }

  static SortedSet<String> requiredCapabilities(DataView view) {
    SortedSet<String> needed = new TreeSet<>();
    switch (view.selection()) {
      case Selection.All() -> {}
      case Selection.Subset _ -> needed.add("some");
      case Selection.Weighted _ -> needed.add("weighted");
    }
    return needed;
  }

  static SortedSet<String> requiredCapabilities(Ticket.Train ticket) {
    SortedSet<String> needed = requiredCapabilities(ticket.view());
    needed.add("train");
    for (Objective.Term term : ticket.objective().terms()) {
      needed.add(
          switch (term) {
            case Objective.Term.Proximal _ -> "proximal";
            case Objective.Term.Cosine _ -> "cosine";
          });
    }
    if (ticket.objective().lookahead() > 0) {
      needed.add("lookahead");
    }
    if (!ticket.objective().layers().isEmpty()) {
      needed.add("layers");
    }
    if (ticket.optimizer().rule() instanceof Optimizer.Rule.AdamW) {
      needed.add("adamw");
    }
    return needed;
  }
}
