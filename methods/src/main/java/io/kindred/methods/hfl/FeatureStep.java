package io.kindred.methods.hfl;

import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.methods.hfl.HflState.Phase;
import java.util.List;
import java.util.Optional;

/** A client's step while it computes its feature and measures its speed for its report. */
record FeatureStep(ClientStep clientStep) {
  /** Training steps that measure the speed of a client whose feature needs no training. */
  private static final int PROBE_STEPS = 5;

  void begin() {
    if (clientStep.method().mismatch()) {
      clientStep.compute(Phase.MEASURING_GRADIENT, gradientTicket(clientStep.global()));
    } else {
      computeFeature();
    }
  }

  /** One step of size one on all samples at once: the change of the weights is the gradient. */
  private Ticket gradientTicket(Weights at) {
    return new Ticket.Train(
            at,
            Objective.plain(),
            ClientStep.OWN,
            new Optimizer(1, 0, 0),
            0,
            new Ticket.Duration.Steps(1),
            clientStep.streamKey(ClientStep.TRAININGS_PER_ROUND - 1))
        .ofModel(Ticket.Train.TEMPORARY);
  }

  private void computeFeature() {
    Weights start = clientStep.global();
    if (clientStep.method().feature().isTrained()) {
      clientStep.compute(
          Phase.TRAINING_FEATURE,
          clientStep
              .trainingTicket(
                  start, 0, new Ticket.Duration.Epochs(clientStep.method().featureEpochs()))
              .ofModel(
                  clientStep.method().start() == Hfl.Start.FEATURE ? 0 : Ticket.Train.TEMPORARY));
    } else if (clientStep.method().feature() == Hfl.Feature.PREDICTION
        && clientStep.draftReport().featureRow().size() == 0) {
      clientStep.compute(Phase.PREDICTING, new Ticket.Outputs(Mixture.of(start), ClientStep.OWN));
    } else {
      clientStep.compute(
          Phase.TRAINING_FEATURE,
          clientStep
              .trainingTicket(start, 0, new Ticket.Duration.Steps(PROBE_STEPS))
              .ofModel(Ticket.Train.TEMPORARY));
    }
  }

  void gradientMeasured(Result.Trained trained) {
    Weights start = clientStep.global();
    float[] gradient = new float[start.size()];
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] = start.get(i) - trained.weights().get(i);
    }
    Weights gradientWeights = Weights.wrap(start.layout(), gradient);
    clientStep.setDraftReport(
        ClientReportBuilder.from(clientStep.draftReport())
            .lossGradient(
                gradientWeights.isFinite() && Double.isFinite(trained.loss())
                    ? Optional.of(new ClientReport.LossGradient(trained.loss(), gradientWeights))
                    : Optional.empty())
            .build());
    computeFeature();
  }

  void predicted(Result.Outputs outputs) {
    int width = outputs.width();
    int rows = outputs.values().size() / Math.max(1, width);
    double[] sums = new double[width];
    for (int i = 0; i < rows * width; i++) {
      sums[i % width] += outputs.values().get(i);
    }
    float[] means = new float[width];
    for (int i = 0; i < width; i++) {
      means[i] = (float) (sums[i] / Math.max(1, rows));
    }
    clientStep.setDraftReport(
        withFeature(
            clientStep.draftReport(),
            clientStep.draftReport().trainingSeconds(),
            Optional.empty(),
            Floats.wrap(means)));
    computeFeature();
  }

  private static ClientReport withFeature(
      ClientReport report, double seconds, Optional<Weights> direction, Floats row) {
    return ClientReportBuilder.from(report)
        .trainingSeconds(seconds)
        .direction(direction)
        .featureRow(row)
        .build();
  }

  /** The training time is known now, and for trained features the direction. */
  void featureTrained(Result.Trained trained) {
    boolean full = clientStep.method().feature().isTrained();
    int made = full ? clientStep.stepsIn(clientStep.method().featureEpochs()) : PROBE_STEPS;
    double seconds =
        Ticks.toSeconds(clientStep.tick() - clientStep.workStartTick())
            / Math.max(1, made)
            * clientStep.draftReport().steps();
    clientStep.setDraftReport(
        withFeature(
            clientStep.draftReport(),
            seconds,
            clientStep.draftReport().direction(),
            clientStep.draftReport().featureRow()));
    if (!full) {
      sendReport(
          Optional.empty(),
          clientStep.method().feature() == Hfl.Feature.SKEW
              ? labelCounts()
              : clientStep.draftReport().featureRow());
      return;
    }
    clientStep.setModel(trained.weights());
    Weights before = clientStep.global();
    List<String> layers =
        clientStep.method().feature() == Hfl.Feature.CROP
            ? ExtractFeature.layers(before.layout(), clientStep.method().crop())
            : List.of();
    clientStep.compute(
        Phase.EXTRACTING_FEATURE,
        new Ticket.Call(new ExtractFeature(before, trained.weights(), layers)));
  }

  private Floats labelCounts() {
    float[] counts = new float[clientStep.context().labelCounts().size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = clientStep.context().labelCounts().get(i);
    }
    return Floats.wrap(counts);
  }

  void sendReport(Optional<Weights> direction, Floats row) {
    clientStep.finishWork();
    clientStep.setDraftReport(
        withFeature(
            clientStep.draftReport(), clientStep.draftReport().trainingSeconds(), direction, row));
    clientStep.send(
        clientStep.coordinator(),
        new HflMessage.SubmitReport(clientStep.roundAttempt(), clientStep.draftReport(), 0));
  }
}
