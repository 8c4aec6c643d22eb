package io.kindred.methods.clustered;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.rounds.GossipState;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReleasedCodeTest {
  private static final PrivacySettings OPEN =
      new PrivacySettings(0, 0.01, 1, 1, PrivacySettings.ClipTarget.WEIGHTS);
  private static final FedSpd METHOD = method(FinalPhase.asInRounds(), FedSpd.Start.APART, OPEN);
  private static final Result.Losses ALL_FIRST = losses(0.1f, 0.9f);

  private static FedSpd method(FinalPhase phase, FedSpd.Start start, PrivacySettings privacy) {
    return new FedSpd(
        2,
        FedSpd.Variant.RELEASED,
        4,
        phase,
        true,
        FedSpd.Update.TRAINED,
        start,
        FedSpd.SendTo.ALL,
        privacy,
        TimeoutPolicy.of(60),
        0);
  }

  private static Centers centers(Driver peer) {
    return (Centers) ((GossipState) peer.state()).localState();
  }

  private static Centers draft(Driver peer) {
    return (Centers) ((GossipState) peer.state()).draftState();
  }

  /** Losses of all samples under each center. */
  private static Result.Losses losses(float... centers) {
    List<Floats> perCenter = new ArrayList<>();
    for (float center : centers) {
      float[] samples = new float[Driver.SAMPLES];
      Arrays.fill(samples, center);
      perCenter.add(Floats.wrap(samples));
    }
    return new Result.Losses(perCenter);
  }

  private static Ticket ticket(List<Effect> effects) {
    return ((Effect.Compute) effects.getLast()).work();
  }

  private static NeighbourUpdate update(int round, SlotModel... models) {
    return new NeighbourUpdate(round, 1, ModelUpdate.of(models), false, 0);
  }

  private static Ticket mean(Weights... models) {
    return new Ticket.Mix(
        new Mixture(
            Arrays.stream(models)
                .map(each -> new MixturePart(each, 1.0 / models.length))
                .toList()));
  }

  private static List<Effect> answered(Driver peer, int round, Ints matched) {
    return peer.feed(
        new Event.Computed(9, round, new Result.Answered(new MatchCenters.MatchedSlots(matched))));
  }

  /** A peer without neighbours in the final phase, with the number of rounds of the driver. */
  private static Ticket.Train finalTraining(FedSpd method, Training training) {
    Driver peer = new Driver(method, Driver.peerContext(1, training));
    peer.started();
    peer.trained(1, model(1));
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      peer.trained(round, model(round));
      peer.feed(new Event.Computed(9, round, ALL_FIRST));
      peer.mixed(round, model(10 + round));
    }
    return (Ticket.Train) ticket(peer.mixed(Driver.ROUNDS, model(20)));
  }

  @Test
  void everyPeerStartsFromRandomCentersOfItsOwn() {
    List<Weights> starts = new ArrayList<>();
    for (long self = 0; self < 4; self++) {
      starts.addAll(centers(Driver.peer(METHOD, self)).models());
    }
    assertThat(starts).hasSize(8).doesNotHaveDuplicates();
  }

  @Test
  void theFirstRoundTrainsAndSendsAllCenters() {
    Driver peer = Driver.peer(METHOD, 1);
    List<Weights> starts = centers(peer).models();
    Ticket.Train first = (Ticket.Train) ticket(peer.started(0));
    assertThat(first.from()).isEqualTo(starts.get(0));
    Ticket.Train second = (Ticket.Train) ticket(peer.trained(1, model(4)));
    assertThat(second.from()).isEqualTo(starts.get(1));
    assertThat(List.of(first.duration(), second.duration()))
        .containsOnly(new Ticket.Duration.Epochs(2 * Driver.TRAINING.epochs()));
    assertThat(selected(first) + selected(second)).isEqualTo(Driver.SAMPLES);
    int largest = ModelSlots.largest(centers(peer).shares());
    assertThat(peer.trained(1, model(5)))
        .contains(
            Driver.deployed(1, Stage.TRAINED, largest == 0 ? model(4) : model(5), Audience.SELF),
            new Effect.Send(
                new PeerId(0),
                update(
                    1,
                    new SlotModel(0, model(4), Driver.SAMPLES),
                    new SlotModel(1, model(5), Driver.SAMPLES))));
  }

  private static int selected(Ticket.Train train) {
    return ((DataView.Selection.Subset) train.view().selection()).indices().size();
  }

  /** Peer 1 whose averaging of round 1, with the centers 6 and 7 of peer 0, is complete. */
  private static Driver averaged() {
    Driver peer = Driver.peer(METHOD, 1);
    peer.started(0);
    peer.trained(1, model(4));
    peer.trained(1, model(5));
    NeighbourUpdate both =
        update(1, new SlotModel(0, model(6), 10), new SlotModel(1, model(7), 10));
    assertThat(ticket(peer.received(0, both))).as("by number").isEqualTo(mean(model(4), model(6)));
    assertThat(ticket(peer.mixed(1, model(8)))).isEqualTo(mean(model(5), model(7)));
    assertThat(ticket(peer.mixed(1, model(9))))
        .as("labels are matched after averaging")
        .isEqualTo(
            new Ticket.Call(
                new MatchCenters(List.of(model(8), model(9)), List.of(model(6), model(7)))));
    return peer;
  }

  @Test
  void labelsThatWereMatchedHoldForTheNextRounds() {
    Driver peer = averaged();
    assertThat(ticket(answered(peer, 1, Ints.of(1, 0)))).isInstanceOf(Ticket.Losses.class);
    peer.feed(new Event.Computed(9, 1, ALL_FIRST));
    peer.mixed(1, model(10));
    int own = draft(peer).trainedCluster();
    peer.trained(2, model(11));
    assertThat(ticket(peer.received(0, update(2, new SlotModel(1 - own, model(12), 10)))))
        .as("the neighbour's other number means the same cluster")
        .isEqualTo(mean(model(11), model(12)));
    assertThat(ticket(peer.mixed(2, model(13))))
        .as("no matching after round 2")
        .isInstanceOf(Ticket.Losses.class);
  }

  @Test
  void aNewNeighbourIsMatchedByNumber() {
    Driver peer = averaged();
    answered(peer, 1, Ints.of(1, 0));
    peer.feed(new Event.Computed(9, 1, ALL_FIRST));
    peer.mixed(1, model(10));
    peer.neighboursChanged(2);
    int own = draft(peer).trainedCluster();
    peer.trained(2, model(11));
    assertThat(ticket(peer.received(2, update(2, new SlotModel(own, model(12), 10)))))
        .isEqualTo(mean(model(11), model(12)));
  }

  @Test
  void labelsAreMatchedInEveryTenthRound() {
    assertThat(List.of(1, 2, 10, 11, 12, 20, 21))
        .filteredOn(ReleasedCode::matchesAfter)
        .containsExactly(1, 11, 21);
  }

  @Test
  void laterRoundsTrainAClusterThatIsDrawnUniformly() {
    int second = 0;
    for (long self = 0; self < 1000; self++) {
      Driver peer = Driver.peer(METHOD, self);
      peer.started();
      peer.trained(1, model(4));
      peer.trained(1, model(5));
      peer.feed(new Event.Computed(9, 1, ALL_FIRST));
      peer.mixed(1, model(10));
      assertThat(draft(peer).shares()[1]).as("ten of thirty").isCloseTo(1.0 / 3, within(1e-12));
      second += draft(peer).trainedCluster();
    }
    // 1,000 draws of 0.5: four deviations are 63; by share 333 would be the mean.
    assertThat(second).isBetween(500 - 63, 500 + 63);
  }

  @Test
  void aClusterTakesTenSamplesOfTheLargestIfItHasFewer() {
    int[] assigned = new int[25];
    assigned[3] = 1;
    int[] changed = ReleasedCode.withLeastSamples(assigned, 2);
    assertThat(Arrays.stream(changed).sum()).isEqualTo(11);
    assertThat(Arrays.copyOfRange(changed, 15, 25)).containsOnly(1);
    assertThat(ReleasedCode.withLeastSamples(new int[19], 2))
        .as("the largest keeps ten")
        .containsOnly(0);
    assertThat(ReleasedCode.withLeastSamples(new int[0], 2)).isEmpty();
  }

  @Test
  void momentumAndDecayAreTheReleasedOnes() {
    Driver peer = Driver.peer(METHOD, 1);
    Ticket.Train train = (Ticket.Train) ticket(peer.started());
    assertThat(train.optimizer())
        .isEqualTo(new Optimizer(new Optimizer.Rule.Sgd(0.5, false), 0.1, 0.01, 0));
    Training released = ReleasedCode.training(Driver.TRAINING);
    assertThat(released.optimizerAt(5).learningRate()).isEqualTo(0.1);
    assertThat(released.optimizerAt(6).learningRate()).isCloseTo(0.08, within(1e-16));
  }

  @Test
  void theFinalPhaseBeginsWithHalfOfTheFirstRate() {
    Ticket.Train train = finalTraining(METHOD, new Training(1, 8, 0.1, 0.25, 0.01));
    assertThat(train.optimizer())
        .isEqualTo(new Optimizer(new Optimizer.Rule.Sgd(0.5, false), 0.05, 0.01, 0));
    assertThat(train.duration())
        .as("three passes of one epoch, then another rate")
        .isEqualTo(new Ticket.Duration.Epochs(3));
    FedSpd own = method(new FinalPhase(0.3, 1, 1), FedSpd.Start.APART, OPEN);
    Ticket.Train set = finalTraining(own, Driver.TRAINING);
    assertThat(set.optimizer().learningRate()).as("a given rate counts").isEqualTo(0.3);
    assertThat(set.duration()).isEqualTo(new Ticket.Duration.Epochs(4));
  }

  @Test
  void settingsThatTheReleasedCodeDoesNotHaveAreRefused() {
    PrivacySettings noisy = new PrivacySettings(1, 0.01, 1, 1, OPEN.clipTarget());
    assertThatThrownBy(() -> method(FinalPhase.asInRounds(), FedSpd.Start.APART, noisy))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("method.privacy.epsilon"));
    assertThatThrownBy(() -> method(FinalPhase.asInRounds(), FedSpd.Start.TOGETHER, OPEN))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("method.start"));
  }
}
