package io.kindred.node.trainer;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.kindred.core.compute.DataView;
import io.kindred.core.compute.DataView.Selection;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Ticket;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.learning.model.Architecture;
import io.kindred.node.trainer.contract.TrainerMessages;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
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
  /** The version of the contract that both sides must speak. */
  static final int VERSION = 1;

  /** The capability to start from a given velocity and to return the final one. */
  static final String VELOCITY = "velocity";

  /** A training request and the vectors that it names. */
  record TrainingRequest(
      TrainerMessages.TrainRequest request, SortedMap<String, float[]> vectors) {}

  private TrainerRequests() {}

  static TrainerMessages.HelloRequest hello(
      Architecture architecture, List<Integer> inputShape, long peer, String dataFile) {
    return TrainerMessages.HelloRequest.newBuilder()
        .setVersion(VERSION)
        .setPeer(peer)
        .addAllLayout(architecture.layout().blocks().stream().map(TrainerRequests::block).toList())
        .addAllLayers(
            architecture.layers().stream()
                .map(each -> lowerCase(each.getClass().getSimpleName()))
                .toList())
        .setTask(lowerCase(architecture.task().name()))
        .addAllInputShape(inputShape)
        .setOutputs(architecture.outputs())
        .setDataFile(dataFile)
        .build();
  }

  private static TrainerMessages.Block block(Layout.Block block) {
    return TrainerMessages.Block.newBuilder()
        .setName(block.name())
        .addAllShape(block.shape())
        .setTrained(block.trained())
        .build();
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static TrainerMessages.View view(String split) {
    return TrainerMessages.View.newBuilder().setSplit(split).setSelection("all").build();
  }

  static TrainerMessages.View view(DataView view) {
    TrainerMessages.View.Builder all = view(lowerCase(view.split().name())).toBuilder();
    return switch (view.selection()) {
      case Selection.All() -> all.build();
      case Selection.Subset(Ints indices) ->
          all.setSelection("some")
              .addAllIndices(Arrays.stream(indices.shared()).boxed().toList())
              .build();
      case Selection.Weighted(Floats weights) ->
          all.setSelection("weighted")
              .setWeights(bytes(weights.shared(), 0, weights.size()))
              .build();
    };
  }

  /** A stretch of a vector as the contract writes it: 32-bit floats, little-endian. */
  static ByteString bytes(float[] values, int from, int to) {
    byte[] bytes = new byte[Float.BYTES * (to - from)];
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .put(values, from, to - from);
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** The request for a ticket, with the vectors that it names. */
  static TrainingRequest training(Ticket.Train ticket, long seed) {
    SortedMap<String, float[]> vectors = new TreeMap<>();
    vectors.put(TrainerSession.MODEL_VECTOR, ticket.from().shared());
    TrainerMessages.TrainRequest.Builder request =
        TrainerMessages.TrainRequest.newBuilder()
            .setView(view(ticket.view()))
            .setBatch(ticket.batch())
            .setOptimizer(optimizer(ticket.optimizer()))
            .setLookahead(ticket.objective().lookahead())
            .addAllLayers(ticket.objective().layers())
            .setSeed(seed)
            .setReturnVelocity(ticket.returnsVelocity());
    if (ticket.velocity().isPresent()) {
      vectors.put(TrainerSession.VELOCITY_VECTOR, ticket.velocity().get().shared());
      request.setVelocity(TrainerSession.VELOCITY_VECTOR);
    }
    switch (ticket.duration()) {
      case Ticket.Duration.Epochs(int count) -> request.setEpochs(count);
      case Ticket.Duration.Steps(int count) -> request.setSteps(count);
    }
    for (Objective.Term term : ticket.objective().terms()) {
      String number = "-" + (request.getProximalCount() + request.getCosineCount());
      switch (term) {
        case Objective.Term.Proximal proximalTerm -> {
          vectors.put("anchor" + number, proximalTerm.anchor().shared());
          request.addProximalBuilder().setAnchor("anchor" + number).setMu(proximalTerm.mu());
        }
        case Objective.Term.Cosine cosineTerm -> {
          vectors.put("origin" + number, cosineTerm.origin().shared());
          vectors.put("target" + number, cosineTerm.target().shared());
          request
              .addCosineBuilder()
              .setOrigin("origin" + number)
              .setTarget("target" + number)
              .setLambda(cosineTerm.lambda());
        }
      }
    }
    return new TrainingRequest(request.build(), vectors);
  }

  private static TrainerMessages.Optimizer optimizer(Optimizer optimizer) {
    TrainerMessages.Optimizer.Builder common =
        TrainerMessages.Optimizer.newBuilder()
            .setLearningRate(optimizer.learningRate())
            .setWeightDecay(optimizer.weightDecay())
            .setClip(optimizer.clip());
    return switch (optimizer.rule()) {
      case Optimizer.Rule.Sgd(double momentum, boolean nesterov) ->
          common.setRule("sgd").setMomentum(momentum).setNesterov(nesterov).build();
      case Optimizer.Rule.AdamW(double first, double second, double epsilon) ->
          common
              .setRule("adamw")
              .setFirstDecay(first)
              .setSecondDecay(second)
              .setEpsilon(epsilon)
              .build();
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
    if (ticket.velocity().isPresent() || ticket.returnsVelocity()) {
      needed.add(VELOCITY);
    }
    return needed;
  }
}
