package io.kindred.methods.mixing;

import io.kindred.core.Observation;
import io.kindred.core.Observation.Audience;
import io.kindred.core.Observation.Deployed;
import io.kindred.core.Observation.Stage;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.methods.PeerContext;
import io.kindred.methods.mixing.OneModel.Estimate;
import io.kindred.methods.rounds.Exchange;
import io.kindred.methods.rounds.Item;
import io.kindred.methods.rounds.Parcel;
import io.kindred.methods.rounds.ServedRecipe;
import io.kindred.methods.rounds.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rounds of a method that mixes its one model with its neighbours' in shares of its own. */
record MixingRounds(MixingRules rules, PeerContext context) implements ServedRecipe<OneModel> {
  @Override
  public OneModel initial() {
    return new OneModel(context.initialWeights().apply(0), Optional.empty());
  }

  @Override
  public Class<OneModel> memoryType() {
    return OneModel.class;
  }

  @Override
  public OneModel adopt(OneModel memory, List<Weights> common) {
    return memory.with(common.getFirst());
  }

  @Override
  public Turn<OneModel> work(OneModel memory, int round, Optional<Result> last) {
    return last.isPresent() && last.get() instanceof Result.Trained trained
        ? new Turn<>(
            memory.with(trained.weights()),
            afterTraining(memory, round, trained.weights()),
            Optional.empty())
        : Turn.ask(memory, rules.train(context, memory.weights(), round));
  }

  private List<Observation> afterTraining(OneModel memory, int round, Weights trained) {
    List<Observation> observations = new ArrayList<>();
    observations.add(Deployed.of(round, Stage.TRAINED, trained));
    if (rules.deploysTrained()) {
      memory.estimate().ifPresent(estimate -> observations.addAll(shares(round, estimate)));
      observations.add(Deployed.of(round, Stage.MIXED, trained));
    }
    return observations;
  }

  /** Lets know whose models the deployed one was made of. */
  private static List<Observation> shares(int round, Estimate estimate) {
    List<Observation> observations = new ArrayList<>();
    for (int i = 0; i < estimate.peers().size(); i++) {
      observations.add(
          new Observation.Measured(
              round, "share" + estimate.peers().get(i).number(), estimate.shares().get(i)));
    }
    return observations;
  }

  @Override
  public Parcel parcel(OneModel memory) {
    return Parcel.of(new Item(0, memory.weights(), context.samples()));
  }

  @Override
  public Turn<OneModel> merge(
      OneModel memory, int round, Exchange exchange, Optional<Result> last) {
    List<Heard> models = Heard.in(exchange);
    if (models.isEmpty() || !rules.mixes(context.self())) {
      return Turn.done(memory);
    }
    if (last.isEmpty()) {
      return rules
          .inquire(memory, round, models)
          .map(inquiry -> go(memory, inquiry, exchange, models))
          .orElseGet(() -> mix(memory, exchange, models));
    }
    if (last.get() instanceof Result.Mixed mixed) {
      return Turn.done(memory.with(mixed.weights()));
    }
    Estimate known = memory.estimate().orElseThrow();
    return go(memory, rules.answered(context, known, last.get()), exchange, models);
  }

  private Turn<OneModel> go(
      OneModel memory, MixingRules.Inquiry inquiry, Exchange exchange, List<Heard> models) {
    OneModel next = memory.knowing(inquiry.estimate());
    return inquiry
        .next()
        .map(ticket -> Turn.ask(next, ticket))
        .orElseGet(() -> mix(next, exchange, models));
  }

  private Turn<OneModel> mix(OneModel memory, Exchange exchange, List<Heard> models) {
    return Turn.ask(memory, new Ticket.Mix(rules.mixture(memory, exchange, models)));
  }

  @Override
  public Turn<OneModel> settle(OneModel memory, int round, Optional<Result> last) {
    if (rules.deploysTrained()) {
      return Turn.done(memory);
    }
    Predictor predictor = rules.deployed(context, memory.weights(), round);
    return Turn.done(memory, new Deployed(round, Stage.MIXED, predictor, Audience.SELF));
  }
}
