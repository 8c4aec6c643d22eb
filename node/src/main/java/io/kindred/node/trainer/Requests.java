package io.kindred.node.trainer;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.work.DataView;
import io.kindred.core.work.DataView.Selection;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Optimizer;
import io.kindred.core.work.Ticket;
import io.kindred.learning.model.Architecture;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Says tickets in the words of {@code trainer.proto}, and what a trainer must offer for them. */
final class Requests {
  /** Everything that training needs. */
  record Training(Messages.TrainRequest request, SortedMap<String, float[]> vectors) {}

  private Requests() {}

  static Messages.HelloRequest hello(
      Architecture architecture, List<Integer> inputShape, long peer, String dataFile) {
    return new Messages.HelloRequest(
        Messages.VERSION,
        peer,
        architecture.layout().blocks().stream().map(Requests::block).toList(),
        architecture.layers().stream().map(each -> word(each.getClass().getSimpleName())).toList(),
        word(architecture.task().name()),
        ints(inputShape),
        architecture.outputs(),
        dataFile);
  }

  private static Messages.Block block(Layout.Block block) {
    return new Messages.Block(block.name(), ints(block.shape()), block.trained());
  }

  private static Ints ints(List<Integer> values) {
    return Ints.wrap(values.stream().mapToInt(Integer::intValue).toArray());
  }

  private static String word(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static Messages.View view(String split) {
    return new Messages.View(split, "all", Ints.of(), Floats.of());
  }

  static Messages.View view(DataView view) {
    String split = word(view.split().name());
    return switch (view.selection()) {
      case Selection.All() -> view(split);
      case Selection.Some(Ints indices) -> new Messages.View(split, "some", indices, Floats.of());
      case Selection.Weighted(Floats weights) ->
          new Messages.View(split, "weighted", Ints.of(), weights);
    };
  }

  /** The request, and beside it the vectors that it names. */
  static Training training(Ticket.Train ticket, long seed) {
    SortedMap<String, float[]> vectors = new TreeMap<>();
    vectors.put(Session.MODEL, ticket.from().shared());
    List<Messages.Proximal> proximal = new ArrayList<>();
    List<Messages.Cosine> cosine = new ArrayList<>();
    for (Objective.Term term : ticket.objective().terms()) {
      String number = "-" + (proximal.size() + cosine.size());
      switch (term) {
        case Objective.Term.Proximal pull -> {
          vectors.put("anchor" + number, pull.anchor().shared());
          proximal.add(new Messages.Proximal("anchor" + number, pull.mu()));
        }
        case Objective.Term.Cosine turn -> {
          vectors.put("origin" + number, turn.origin().shared());
          vectors.put("target" + number, turn.target().shared());
          cosine.add(new Messages.Cosine("origin" + number, "target" + number, turn.lambda()));
        }
      }
    }
    Messages.TrainRequest request =
        new Messages.TrainRequest(
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
    return new Training(request, vectors);
  }

  private static Messages.Optimizer optimizer(Optimizer optimizer) {
    double rate = optimizer.learningRate();
    double decay = optimizer.weightDecay();
    return switch (optimizer.rule()) {
      case Optimizer.Rule.Descent(double momentum, boolean nesterov) ->
          new Messages.Optimizer("sgd", rate, decay, optimizer.clip(), momentum, nesterov, 0, 0, 0);
      case Optimizer.Rule.AdamW(double first, double second, double epsilon) ->
          new Messages.Optimizer(
              "adamw", rate, decay, optimizer.clip(), 0, false, first, second, epsilon);
    };
  }

  /**
   * What has to be offered for a method's tickets; mixing and pure functions stay with the node.
   */
  static SortedSet<String> neededFor(SortedSet<Ticket.Kind> kinds) {
    SortedSet<String> needed = new TreeSet<>();
    for (Ticket.Kind kind : kinds) {
      switch (kind) {
        case TRAIN, LOSSES, OUTPUTS -> needed.add(word(kind.name()));
        case MIX, CALL -> {}
      }
    }
    return needed;
  }

  static SortedSet<String> neededFor(DataView view) {
    SortedSet<String> needed = new TreeSet<>();
    switch (view.selection()) {
      case Selection.All() -> {}
      case Selection.Some _ -> needed.add("some");
      case Selection.Weighted _ -> needed.add("weighted");
    }
    return needed;
  }

  static SortedSet<String> neededFor(Ticket.Train ticket) {
    SortedSet<String> needed = neededFor(ticket.view());
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
