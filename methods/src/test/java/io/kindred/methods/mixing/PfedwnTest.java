package io.kindred.methods.mixing;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.PureFunction;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.NeighbourChoice;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.PeerContextBuilder;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.GossipState;
import io.kindred.methods.rounds.GraphWeights;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.SlotModel;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PfedwnTest {
  private static final Pfedwn.Estimation ONCE = estimation(0, 100, 1e-4, 0);
  private static final Pfedwn METHOD =
      new Pfedwn(
          0.5, -1, Pfedwn.Sends.MIXED, ONCE, TimeoutPolicy.of(60), 0, PartnerSettings.NEIGHBOURS);
  // The first neighbour explains both samples, the second neither.
  private static final Result LOSSES =
      new Result.Losses(List.of(Floats.of(0.1f, 0.2f), Floats.of(40, 40)));

  private static Pfedwn.Estimation estimation(
      int every, int iterations, double tolerance, int refits) {
    return new Pfedwn.Estimation(
        every, iterations, tolerance, refits, Pfedwn.Estimation.Shares.ESTIMATED);
  }

  private static Pfedwn method(Pfedwn.Estimation estimation) {
    return new Pfedwn(
        0.5,
        -1,
        Pfedwn.Sends.MIXED,
        estimation,
        TimeoutPolicy.of(60),
        0,
        PartnerSettings.NEIGHBOURS);
  }

  private static NeighbourUpdate neighbourUpdate(int round, int number) {
    return new NeighbourUpdate(
        round, 2, ModelUpdate.of(new SlotModel(0, model(number), Driver.SAMPLES)), false, 0);
  }

  private static List<Effect> computed(Driver peer, long round, Result result) {
    return peer.feed(new Event.Computed(100, round, result));
  }

  private static Ticket work(List<Effect> effects) {
    return ((Effect.Compute) effects.getLast()).work();
  }

  /** Peer 1 with neighbours 0 and 2, all models of round 1 received, waiting for losses. */
  private static Driver asking(Pfedwn method) {
    Driver peer = Driver.peer(method, 1);
    peer.started(0, 2);
    peer.trained(1, model(1));
    peer.received(0, neighbourUpdate(1, 7));
    assertThat(work(peer.received(2, neighbourUpdate(1, 5))))
        .isEqualTo(
            new Ticket.Losses(
                List.of(Mixture.of(model(7)), Mixture.of(model(5))),
                DataView.own(DataView.Split.TRAIN),
                Ticket.Detail.PER_SAMPLE));
    return peer;
  }

  private static PureFunction.Answer answer(Ticket ticket) {
    return ((Ticket.Call) ticket).function().apply();
  }

  private static Driver mixing(Pfedwn method) {
    Driver peer = asking(method);
    PureFunction.Answer fitted = answer(work(computed(peer, 1, LOSSES)));
    assertThat(mixture(work(computed(peer, 1, new Result.Answered(fitted)))).getFirst())
        .isEqualTo(new MixturePart(model(1), 0.5));
    return peer;
  }

  private static List<MixturePart> mixture(Ticket ticket) {
    return ((Ticket.Mix) ticket).mixture().parts();
  }

  @Test
  void aPeerDeploysWhatItTrained() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0, 2);
    assertThat(peer.trained(1, model(1)))
        .contains(
            Driver.deployed(1, Stage.TRAINED, model(1), Audience.SELF),
            Driver.deployed(1, Stage.MIXED, model(1), Audience.SELF));
  }

  @Test
  void sharesFollowFromTheOwnSamples() {
    Driver peer = asking(METHOD);
    PureFunction.Answer fitted = answer(work(computed(peer, 1, LOSSES)));
    List<MixturePart> parts = mixture(work(computed(peer, 1, new Result.Answered(fitted))));
    assertThat(parts).hasSize(3);
    assertThat(parts.get(0)).isEqualTo(new MixturePart(model(1), 0.5));
    assertThat(parts.get(1).weights()).isEqualTo(model(7));
    assertThat(parts.get(1).coefficient()).isCloseTo(0.5, within(1e-6));
    assertThat(parts.stream().mapToDouble(MixturePart::coefficient).sum())
        .isCloseTo(1, within(1e-12));
    // After mixing, the peer trains and reports nothing before that.
    assertThat(peer.mixed(1, model(9))).hasSize(1);
  }

  @Test
  void sharesAreKeptAndTheAbsentLeftOut() {
    Driver peer = mixing(METHOD);
    peer.mixed(1, model(9));
    assertThat(peer.trained(2, model(9)))
        .filteredOn(effect -> effect.toString().contains("name=share"))
        .hasSize(2);
    peer.received(2, neighbourUpdate(2, 6));
    // Peer 0, which had nearly the whole share of the neighbours, did not send; peer 2 gets all of
    // it.
    List<MixturePart> parts = mixture(work(peer.timerFired("round-timeout", 2)));
    assertThat(parts).hasSize(2);
    assertThat(parts.get(1).weights()).isEqualTo(model(6));
    assertThat(parts.get(1).coefficient()).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void withoutReceivedModelsTheOwnModelStays() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0, 2);
    peer.trained(1, model(1));
    assertThat(((Ticket.Train) work(peer.timerFired("round-timeout", 1))).from())
        .isEqualTo(model(1));
  }

  @Test
  void aNewcomerCallsForNewSharesAndSoDoesTime() {
    Driver peer = mixing(METHOD);
    peer.mixed(1, model(9));
    peer.neighboursChanged(0, 2, 3);
    peer.trained(2, model(9));
    peer.received(0, neighbourUpdate(2, 7));
    peer.received(2, neighbourUpdate(2, 5));
    assertThat(work(peer.received(3, neighbourUpdate(2, 4)))).isInstanceOf(Ticket.Losses.class);
    Driver often = mixing(method(estimation(1, 100, 1e-4, 0)));
    often.mixed(1, model(9));
    often.trained(2, model(9));
    often.received(0, neighbourUpdate(2, 7));
    assertThat(work(often.received(2, neighbourUpdate(2, 5)))).isInstanceOf(Ticket.Losses.class);
  }

  @Test
  void componentsAreRefittedOneAfterTheOtherToWhatBelongsToThem() {
    Driver peer = asking(method(estimation(0, 1, 0, 1)));
    FitShares.Fitted fitted = (FitShares.Fitted) answer(work(computed(peer, 1, LOSSES)));
    Ticket.Train first = (Ticket.Train) work(computed(peer, 1, new Result.Answered(fitted)));
    assertThat(first.from()).isEqualTo(model(7));
    assertThat(first.view().selection())
        .isEqualTo(new DataView.Selection.Weighted(fitted.responsibilities().get(0)));
    Ticket.Train second = (Ticket.Train) work(peer.trained(1, model(70)));
    assertThat(second.from()).isEqualTo(model(5));
    assertThat(work(peer.trained(1, model(50))))
        .isEqualTo(
            new Ticket.Losses(
                List.of(Mixture.of(model(70)), Mixture.of(model(50))),
                DataView.own(DataView.Split.TRAIN),
                Ticket.Detail.PER_SAMPLE));
    Ticket again = work(computed(peer, 1, LOSSES));
    // What is mixed are the neighbours' models, not the copies.
    List<MixturePart> parts = mixture(work(computed(peer, 1, new Result.Answered(answer(again)))));
    assertThat(parts.stream().map(MixturePart::weights))
        .containsExactly(model(1), model(7), model(5));
    MixingState draft = (MixingState) ((GossipState) peer.state()).draftState();
    assertThat(draft.estimate().orElseThrow().refit()).isEmpty();
  }

  @Test
  void aPeerRestoredWhileWeighingSharesItsModelAndAsksAgain() {
    Driver peer = asking(METHOD);
    assertThat(work(peer.restored(0, 2))).isInstanceOf(Ticket.Losses.class);
  }

  @Test
  void onlyTheTargetMixesAndTheOthersKeepItsPace() {
    Pfedwn one =
        new Pfedwn(
            0.5, 0, Pfedwn.Sends.MIXED, ONCE, TimeoutPolicy.of(60), 0, PartnerSettings.NEIGHBOURS);
    Driver helper = Driver.peer(one, 1);
    helper.started(0, 2);
    helper.trained(1, model(1));
    helper.received(2, neighbourUpdate(1, 3));
    Ticket.Train next = (Ticket.Train) work(helper.received(0, neighbourUpdate(1, 8)));
    assertThat(next.from()).isEqualTo(model(1));
    assertThatThrownBy(
            () ->
                new Pfedwn(
                        0.5,
                        5,
                        Pfedwn.Sends.MIXED,
                        ONCE,
                        TimeoutPolicy.of(60),
                        0,
                        PartnerSettings.NEIGHBOURS)
                    .check(5))
        .isInstanceOf(SettingException.class);
  }

  @Test
  void otherGossipersDifferInTrainingAndShares() {
    Weights start = Driver.weights(0, 0);
    PeerContext context = Driver.peerContext(1);
    Ticket.Train held =
        new FedProx(
                0.3,
                Aggregation.GRAPH,
                GraphWeights.METROPOLIS,
                RoundSettings.of(TimeoutPolicy.of(60)))
            .train(context, start, 1);
    assertThat(held.objective().terms())
        .containsExactly(new io.kindred.core.compute.Objective.Term.Proximal(start, 0.3));
    PerFedAvg meta =
        new PerFedAvg(
            0.02,
            Aggregation.GRAPH,
            GraphWeights.METROPOLIS,
            RoundSettings.of(TimeoutPolicy.of(60)));
    assertThat(meta.train(context, start, 1).objective().lookahead()).isEqualTo(0.02);
    var adapted =
        (io.kindred.core.compute.Predictor.Adapted)
            meta.predictorFor(context.training(), context.self(), model(4), 2);
    assertThat(adapted.adaptation().from()).isEqualTo(model(4));
    assertThat(adapted.adaptation().duration()).isEqualTo(new Ticket.Duration.Steps(1));
    assertThat(adapted.adaptation().optimizer().learningRate()).isEqualTo(0.02);
  }

  @Test
  void fedampTakesMoreOfTheNearer() {
    Driver peer = Driver.peer(new FedAmp(0.8, 1, 0.1, TimeoutPolicy.of(60), 0), 1);
    peer.started(0, 2);
    peer.trained(1, model(1));
    peer.received(0, neighbourUpdate(1, 2));
    Ticket asked = work(peer.received(2, neighbourUpdate(1, 5)));
    List<MixturePart> parts = mixture(work(computed(peer, 1, new Result.Answered(answer(asked)))));
    // Squared distances 2 and 32, the upper one the median of two.
    assertThat(parts.get(1).coefficient()).isCloseTo(0.4 * Math.exp(-1.0 / 16), within(1e-9));
    assertThat(parts.get(2).coefficient()).isCloseTo(0.4 * Math.exp(-1), within(1e-9));
    assertThat(parts.stream().mapToDouble(MixturePart::coefficient).sum())
        .isCloseTo(1, within(1e-12));
  }

  @Test
  void sharesThatStillChangeAreCountedInEveryRoundThatUsesThem() {
    // One step from equal shares, where the losses differ a little only.
    Result alike = new Result.Losses(List.of(Floats.of(1, 1), Floats.of(1.2f, 1.2f)));
    for (int iterations : List.of(1, 10_000)) {
      Driver peer = asking(method(estimation(0, iterations, 1e-9, 0)));
      PureFunction.Answer fitted = answer(work(computed(peer, 1, alike)));
      work(computed(peer, 1, new Result.Answered(fitted)));
      peer.mixed(1, model(9));
      List<Effect> effects = peer.trained(2, model(9));
      assertThat(effects.contains(Driver.counted("shares-not-converged")))
          .as("%s steps", iterations)
          .isEqualTo(iterations == 1);
    }
  }

  @Test
  void equalSharesNeedNoEstimate() {
    Pfedwn equal = method(new Pfedwn.Estimation(0, 100, 1e-4, 0, Pfedwn.Estimation.Shares.EQUAL));
    Driver peer = Driver.peer(equal, 1);
    peer.started(0, 2);
    peer.trained(1, model(1));
    peer.received(0, neighbourUpdate(1, 7));
    assertThat(mixture(work(peer.received(2, neighbourUpdate(1, 5)))))
        .containsExactly(
            new MixturePart(model(1), 0.5),
            new MixturePart(model(7), 0.25),
            new MixturePart(model(5), 0.25));
  }

  @Test
  void aPeerMixesTheNeighboursItChoseAndSendsToThoseThatChoseIt() {
    PeerContext context =
        PeerContextBuilder.from(Driver.peerContext(1))
            .choice(
                Optional.of(
                    new NeighbourChoice(
                        new TreeSet<>(Driver.ids(0)), new TreeSet<>(Driver.ids(2)))))
            .build();
    Driver peer = new Driver(METHOD, context);
    peer.started(0, 2);
    assertThat(peer.trained(1, model(1)))
        .filteredOn(effect -> effect instanceof Effect.Send)
        .extracting(effect -> ((Effect.Send) effect).to().number())
        .containsExactly(2L);
    assertThat(peer.received(2, neighbourUpdate(1, 5)))
        .containsExactly(Driver.counted("unexpected-message"));
    Ticket.Losses losses = (Ticket.Losses) work(peer.received(0, neighbourUpdate(1, 7)));
    assertThat(losses.mixtures()).containsExactly(Mixture.of(model(7)));
  }

  private static NeighbourUpdate labelled(int number, int... counts) {
    return new NeighbourUpdate(
        1,
        2,
        ModelUpdate.of(new SlotModel(0, model(number), Driver.SAMPLES))
            .withLabelCounts(Ints.of(counts)),
        false,
        0);
  }

  private static Driver withLabels(Pfedwn method, int... counts) {
    return new Driver(
        method,
        PeerContextBuilder.from(Driver.peerContext(1)).labelCounts(Ints.of(counts)).build());
  }

  @Test
  void sharesByLabelsFollowTheCommonPartOfTheFrequencies() {
    Pfedwn labels = method(new Pfedwn.Estimation(0, 100, 1e-4, 0, Pfedwn.Estimation.Shares.LABELS));
    Driver peer = withLabels(labels, 6, 2, 0);
    peer.started(0, 2);
    assertThat(peer.trained(1, model(1)))
        .filteredOn(effect -> effect instanceof Effect.Send)
        .extracting(
            effect -> ((NeighbourUpdate) ((Effect.Send) effect).message()).update().labelCounts())
        .containsOnly(Optional.of(Ints.of(6, 2, 0)));
    // Frequencies 3/4, 1/4, 0 against 1/2, 0, 1/2 and 0, 1/4, 3/4.
    peer.received(0, labelled(7, 50, 0, 50));
    assertThat(mixture(work(peer.received(2, labelled(5, 0, 1, 3)))))
        .containsExactly(
            new MixturePart(model(1), 0.5),
            new MixturePart(model(7), 0.5 * 2 / 3),
            new MixturePart(model(5), 0.5 / 3));
  }

  @Test
  void sharesByLabelsAreEqualWhereNoLabelIsCommon() {
    Pfedwn labels = method(new Pfedwn.Estimation(0, 100, 1e-4, 0, Pfedwn.Estimation.Shares.LABELS));
    Driver peer = withLabels(labels, 8, 0);
    peer.started(0, 2);
    peer.trained(1, model(1));
    peer.received(0, labelled(7, 0, 4));
    assertThat(mixture(work(peer.received(2, neighbourUpdate(1, 5)))))
        .extracting(MixturePart::coefficient)
        .containsExactly(0.5, 0.25, 0.25);
  }

  @Test
  void labelCountsAreSentOnlyWhereSharesFollowThem() {
    Driver peer = withLabels(METHOD, 6, 2, 0);
    peer.started(0, 2);
    assertThat(peer.trained(1, model(1)))
        .filteredOn(effect -> effect instanceof Effect.Send)
        .extracting(
            effect -> ((NeighbourUpdate) ((Effect.Send) effect).message()).update().labelCounts())
        .containsOnly(Optional.empty());
  }

  @Test
  void aPeerThatSendsAloneTrainsTwoModelsAndMixesOnlyOne() {
    Pfedwn alone =
        new Pfedwn(
            0.5, -1, Pfedwn.Sends.ALONE, ONCE, TimeoutPolicy.of(60), 0, PartnerSettings.NEIGHBOURS);
    Driver peer = Driver.peer(alone, 1);
    peer.started(0, 2);
    Ticket.Train own = (Ticket.Train) work(peer.trained(1, model(3)));
    assertThat(own.model()).isZero();
    List<Effect> trained = peer.trained(1, model(1));
    assertThat(trained)
        .filteredOn(effect -> effect instanceof Effect.Send)
        .extracting(
            effect ->
                ((NeighbourUpdate) ((Effect.Send) effect).message())
                    .update()
                    .models()
                    .getFirst()
                    .weights())
        .containsOnly(model(3));
    assertThat(trained).contains(Driver.deployed(1, Stage.MIXED, model(1), Audience.SELF));
    peer.received(0, neighbourUpdate(1, 7));
    peer.received(2, neighbourUpdate(1, 5));
    PureFunction.Answer fitted = answer(work(computed(peer, 1, LOSSES)));
    assertThat(mixture(work(computed(peer, 1, new Result.Answered(fitted)))).getFirst().weights())
        .isEqualTo(model(1));
    Ticket.Train next = (Ticket.Train) work(peer.mixed(1, model(9)));
    assertThat(next.from()).isEqualTo(model(3));
    assertThat(next.model()).isEqualTo(1);
    assertThat(((Ticket.Train) work(peer.trained(2, model(4)))).from()).isEqualTo(model(9));
  }

  @Test
  void groupMeansWeighModelsBySamplesOnRequest() {
    PeerContext context = PeerContextBuilder.from(Driver.peerContext(1)).samples(100).build();
    for (Method method :
        List.of(
            new Dfedavgm(0, GraphWeights.SAMPLES, TimeoutPolicy.of(60), 0),
            new FedProx(
                0.1,
                Aggregation.GRAPH,
                GraphWeights.SAMPLES,
                RoundSettings.of(TimeoutPolicy.of(60))),
            new PerFedAvg(
                0.1,
                Aggregation.GRAPH,
                GraphWeights.SAMPLES,
                RoundSettings.of(TimeoutPolicy.of(60))))) {
      Driver peer = new Driver(method, context);
      peer.started(0, 2);
      peer.trained(1, model(1));
      peer.received(0, new NeighbourUpdate(1, 2, samples(7, 300), false, 0));
      assertThat(
              mixture(work(peer.received(2, new NeighbourUpdate(1, 2, samples(5, 600), false, 0)))))
          .as("%s", method)
          .containsExactly(
              new MixturePart(model(1), 0.1),
              new MixturePart(model(7), 0.3),
              new MixturePart(model(5), 0.6));
    }
  }

  private static ModelUpdate samples(int number, int count) {
    return ModelUpdate.of(new SlotModel(0, model(number), count));
  }
}
