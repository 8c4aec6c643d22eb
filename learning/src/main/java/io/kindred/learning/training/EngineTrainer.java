package io.kindred.learning.training;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Task;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.LocalTraining;
import io.kindred.learning.engine.PictureAugmentation;
import io.kindred.learning.engine.SampleRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Executes tickets with one engine. An instance serves one thread at a time; any instance gives the
 * same result.
 */
public final class EngineTrainer implements Trainer {
  /**
   * Weights that are mixed and kept at once for the losses of many mixtures: 8 MB. Decoding the
   * samples once for all mixtures matters for small models only, so large ones are evaluated few at
   * a time.
   */
  private static final int MAX_MIXED_WEIGHTS = 1 << 21;

  private final Engine engine;
  private final LocalTraining localTraining;
  private final PeerDatasets datasets;
  private final RandomStreams streams;
  private final Task task;
  private final int outputWidth;

  public EngineTrainer(Engine engine, PeerDatasets datasets, RandomStreams streams) {
    this(engine, datasets, streams, Optional.empty());
  }

  /** A trainer that changes the pictures of training batches at random. */
  public EngineTrainer(
      Engine engine,
      PeerDatasets datasets,
      RandomStreams streams,
      Optional<PictureAugmentation> augmentation) {
    this.engine = engine;
    this.localTraining = new LocalTraining(engine, augmentation);
    this.datasets = datasets;
    this.streams = streams;
    this.task = datasets.dataset().task();
    this.outputWidth = datasets.dataset().outputs();
  }

  @Override
  public Result perform(PeerId peer, Ticket ticket) {
    return switch (ticket) {
      case Ticket.Train train -> train(peer, train);
      case Ticket.Losses losses -> losses(peer, losses);
      case Ticket.Outputs outputs -> {
        Weights weights = materialize(outputs.mixture());
        SampleRows rows = datasets.rows(peer, outputs.view());
        yield new Result.Outputs(outputWidth, Floats.wrap(engine.outputs(weights, rows)));
      }
      case Ticket.Mix(Mixture mixture) -> new Result.Mixed(materialize(mixture));
      case Ticket.Call call -> new Result.Answered(call.function().apply());
    };
  }

  private Result.Trained train(PeerId peer, Ticket.Train ticket) {
    SampleRows rows = datasets.rows(peer, ticket.view());
    Result.Trained trained = localTraining.train(ticket, rows, streams.stream(ticket.shuffle()));
    requireFinite(peer, "weights are", trained.weights());
    trained.velocity().ifPresent(velocity -> requireFinite(peer, "the velocity is", velocity));
    return trained;
  }

  private static void requireFinite(PeerId peer, String what, Weights vector) {
    if (!vector.isFinite()) {
      throw new DivergedException(
          "training of "
              + peer
              + " diverged ("
              + what
              + " no longer finite); lower the learning rate");
    }
  }

  private Result.Losses losses(PeerId peer, Ticket.Losses ticket) {
    SampleRows rows = datasets.rows(peer, ticket.view());
    List<Floats> perMixture = new ArrayList<>();
    List<Mixture> left = ticket.mixtures();
    while (!left.isEmpty()) {
      int size = left.getFirst().parts().getFirst().weights().size();
      int count = Math.clamp(MAX_MIXED_WEIGHTS / size, 1, left.size());
      List<Weights> models =
          left.subList(0, count).stream().map(EngineTrainer::materialize).toList();
      for (float[] losses : engine.losses(models, rows)) {
        perMixture.add(
            switch (ticket.detail()) {
              case PER_SAMPLE -> Floats.wrap(losses);
              case MEAN -> Floats.of((float) mean(losses, rows));
            });
      }
      left = left.subList(count, left.size());
    }
    return new Result.Losses(perMixture);
  }

  private static double mean(float[] losses, SampleRows rows) {
    double sum = 0;
    for (int row = 0; row < losses.length; row++) {
      double weight = rows.weights().isPresent() ? rows.weights().get().get(row) : 1;
      sum += weight * losses[row];
    }
    return sum / losses.length;
  }

  private static Weights materialize(Mixture mixture) {
    MixturePart first = mixture.parts().getFirst();
    return mixture.parts().size() == 1 && first.coefficient() == 1
        ? first.weights()
        : VectorKernels.mix(mixture);
  }

  @Override
  public EvaluationResult evaluate(PeerId peer, Predictor predictor, TestSet on) {
    return evaluate(
        peer,
        predictor,
        switch (on) {
          case OWN -> datasets.rows(peer, DataView.own(DataView.Split.TEST));
          case COMMON -> datasets.commonTestRows(peer);
          case TRIGGERED -> datasets.triggeredRows(peer);
        });
  }

  /** Evaluates a predictor for this peer on any rows. */
  public EvaluationResult evaluate(PeerId peer, Predictor predictor, SampleRows rows) {
    return evaluate(
        switch (predictor) {
          case Predictor.Single(Weights weights) -> engine.outputs(weights, rows);
          case Predictor.Ensemble(Mixture members) -> ensemble(members, rows);
          case Predictor.Adapted(Ticket.Train adaptation) ->
              engine.outputs(train(peer, adaptation).weights(), rows);
        },
        rows);
  }

  private float[] ensemble(Mixture members, SampleRows rows) {
    float[] sum = new float[rows.count() * outputWidth];
    for (MixturePart part : members.parts()) {
      float[] outputs = engine.outputs(part.weights(), rows);
      VectorKernels.axpy((float) part.coefficient(), outputs, 0, sum, 0, sum.length);
    }
    return sum;
  }

  private EvaluationResult evaluate(float[] outputs, SampleRows rows) {
    return switch (task) {
      case CLASSIFICATION -> Measures.classification(outputs, rows, outputWidth);
      case REGRESSION -> Measures.regression(outputs, rows, datasets.dataset());
    };
  }
}
