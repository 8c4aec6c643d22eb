package io.kindred.methods.contract;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.ModelsMixed;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The two effects with which a peer or a server mixes models: it observes whose models, of which
 * rounds, with which shares and numbers of samples, and asks for the mixture. The ticket has the
 * number of the round.
 */
public final class ExpectedMixture {
  private final int round;
  private final int slot;
  private final Weighting weighting;
  private final List<MixturePart> parts = new ArrayList<>();
  private final List<MixedModel> models = new ArrayList<>();
  private double ownWeight;

  private ExpectedMixture(int round, int slot, Weighting weighting) {
    this.round = round;
    this.slot = slot;
    this.weighting = weighting;
  }

  public static ExpectedMixture of(int round, Weighting weighting) {
    return of(round, 0, weighting);
  }

  public static ExpectedMixture of(int round, int slot, Weighting weighting) {
    return new ExpectedMixture(round, slot, weighting);
  }

  /** Then the own model of the peer. */
  public ExpectedMixture own(Weights model, double share) {
    parts.add(new MixturePart(model, share));
    ownWeight += share;
    return this;
  }

  /** Then the model that another peer trained in the round of the mixture. */
  public ExpectedMixture from(long peer, Weights model, double share, int samples) {
    return from(peer, round, model, share, samples);
  }

  /** Then the model that another peer trained in some round. */
  public ExpectedMixture from(long peer, int trainedIn, Weights model, double share, int samples) {
    parts.add(new MixturePart(model, share));
    models.add(
        new MixedModel(new PeerId(peer), trainedIn, share, samples, MixedModel.Treatment.FULL));
    return this;
  }

  /** The effects of the mixture, after others of the same step. */
  public Effect[] after(Effect... earlier) {
    return Stream.concat(
            Stream.of(earlier),
            Stream.of(
                new Effect.Observe(new ModelsMixed(round, slot, weighting, ownWeight, models)),
                new Effect.Compute(round, new Ticket.Mix(new Mixture(parts)))))
        .toArray(Effect[]::new);
  }

  public Effect[] effects() {
    return after();
  }
}
