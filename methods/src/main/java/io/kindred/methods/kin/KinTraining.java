package io.kindred.methods.kin;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.Training;
import io.kindred.methods.kin.KinState.KeptModel;
import java.util.Arrays;
import java.util.Optional;

/** Tickets that train and score the models of a peer. */
record KinTraining(KinSettings settings, PeerContext context, Schedule schedule) {
  private static final Purpose HELD_OUT = new Purpose("kin-held-out");
  private static final Purpose PERSONAL_BATCHES = new Purpose("kin-personal-batches");

  private static final int MIN_HELD_OUT = 4;
  private static final int MIN_SAMPLES_TO_HOLD_OUT = 12;

  /** Samples of a class that the prior adds to the count, so that no class is impossible. */
  private static final double PRIOR_COUNT = 0.5;

  Ticket trainShared(KeptModel model, int round) {
    return train(model, round, Purpose.BATCHES, 0);
  }

  Ticket trainPersonal(KeptModel model, int round) {
    return train(model, round, PERSONAL_BATCHES, 1);
  }

  /**
   * The order of the samples is that of the method `local`, so that the lone model is its model.
   */
  Ticket trainAlone(KeptModel model, int round) {
    return train(model, round, Purpose.BATCHES, 2);
  }

  /**
   * One round of training. Held-out samples do not shorten it: the number of steps is that of all
   * samples.
   */
  private Ticket train(KeptModel model, int round, Purpose order, int number) {
    Training training = context.training();
    return new Ticket.Train(
        withPrior(model.weights(), 1),
        Objective.plain(),
        view(round),
        training.optimizerAt(round),
        training.batch(),
        new Ticket.Duration.Steps(training.epochs() * stepsPerEpoch(context.samples())),
        new StreamKey(order, context.self().number(), round),
        number,
        model.velocity(),
        keepsVelocity());
  }

  /** Whether velocities are kept between rounds: where training has momentum of this form. */
  boolean keepsVelocity() {
    return settings.momentum().rule() != MomentumSettings.Rule.RESET
        && context.training().optimizerAt(1).rule() instanceof Optimizer.Rule.Sgd sgd
        && sgd.momentum() > 0;
  }

  /** Whether the velocity of the shared model is that of the mixed model after this round. */
  boolean mixesVelocity(int round) {
    return keepsVelocity()
        && settings.momentum().rule() == MomentumSettings.Rule.MIXED
        && round >= schedule.mixedVelocity();
  }

  int stepsPerEpoch(double samples) {
    int batch = context.training().batch();
    return batch == 0 ? 1 : Math.max(1, (int) Math.ceil(samples / batch));
  }

  private DataView view(int round) {
    DataView all = DataView.own(DataView.Split.TRAIN);
    int held = heldOutCount();
    return held == 0 || !schedule.holdsOut(round)
        ? all
        : all.select(new DataView.Selection.Subset(shuffled(held, context.samples())));
  }

  /** The held-out samples; empty if the peer has too few samples to hold any out. */
  Optional<DataView> heldOut() {
    int held = heldOutCount();
    return held == 0
        ? Optional.empty()
        : Optional.of(
            DataView.own(DataView.Split.TRAIN)
                .select(new DataView.Selection.Subset(shuffled(0, held))));
  }

  private int heldOutCount() {
    ChoiceSettings choice = settings.choice();
    return choice.by() == ChoiceSettings.Decision.FIXED
            || choice.heldOut() == 0
            || context.samples() < MIN_SAMPLES_TO_HOLD_OUT
        ? 0
        : Math.max(MIN_HELD_OUT, (int) Math.round(choice.heldOut() * context.samples()));
  }

  /** A part of all samples in an order that never changes, sorted. */
  private Ints shuffled(int from, int to) {
    int[] order =
        context.streams().stream(HELD_OUT, context.self().number(), 0)
            .permutation(context.samples());
    int[] part = Arrays.copyOfRange(order, from, to);
    Arrays.sort(part);
    return Ints.wrap(part);
  }

  /**
   * The weights with the logarithms of the class frequencies added to the output bias, or
   * subtracted. A model with this bias computes softmax(outputs + log q), so neither training nor
   * prediction needs to know of the correction.
   */
  Weights withPrior(Weights weights, int sign) {
    if (!settings.prior()) {
      return weights;
    }
    Ints counts = context.labelCounts();
    Layout.Block bias = weights.layout().blocks().getLast();
    if (counts.size() == 0 || bias.size() != counts.size()) {
      throw new SettingException(
          "method.prior",
          "the last block of the model, " + bias.name() + ", is no bias of the classes",
          "set `prior` to false");
    }
    float[] values = weights.copy();
    double total = context.samples() + PRIOR_COUNT * counts.size();
    for (int c = 0; c < counts.size(); c++) {
      values[bias.offset() + c] +=
          (float) (sign * StrictMath.log((counts.get(c) + PRIOR_COUNT) / total));
    }
    return Weights.wrap(weights.layout(), values);
  }
}
