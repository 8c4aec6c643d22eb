package io.kindred.methods.clustered;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.methods.clustered.Dfca.Averaging;
import io.kindred.methods.clustered.Dfca.Start;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.ExpectedMixture;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.GossipState;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DfcaTest {
  private static final int CLUSTERS = 3;

  /** Peers send a share of one instead of their number of samples. */
  private static final int NOT_REPORTED = 0;

  private static Dfca method(Averaging averaging) {
    return new Dfca(CLUSTERS, Start.GLOBAL, averaging, 1, TimeoutPolicy.of(60), 0);
  }

  @Test
  void moreModelsThanPeersAreWarnedOf() {
    assertThat(method(Averaging.BATCH).warnings(CLUSTERS)).isEmpty();
    assertThat(method(Averaging.BATCH).warnings(CLUSTERS - 1))
        .containsExactly(
            "'method.clusters': 3 models for 2 peers, each of which trains one model, so"
                + " that at least 1 stay untrained in every round; choose at most 2");
  }

  private static Result.Losses losses(float... means) {
    List<Floats> perModel = new ArrayList<>();
    for (float mean : means) {
      perModel.add(Floats.of(mean));
    }
    return new Result.Losses(perModel);
  }

  private static List<Effect> computed(Driver peer, long ticket, Result result) {
    return peer.feed(new Event.Computed(9, ticket, result));
  }

  private static NeighbourUpdate offer(int round, int slot, Weights weights) {
    return new NeighbourUpdate(
        round, 2, ModelUpdate.of(new SlotModel(slot, weights, 10)), false, 0);
  }

  /** A peer that has chosen its middle model and trained it. */
  private static Driver waiting(Dfca method, long... neighbours) {
    Driver peer = Driver.peer(method, 50);
    peer.started(neighbours);
    computed(peer, 1, losses(0.5f, 0.2f, 0.9f));
    peer.trained(1, model(1));
    return peer;
  }

  private static List<Weights> models(Driver peer) {
    return ((HardClusters.ClusterModels) ((GossipState) peer.state()).localState()).models();
  }

  @Test
  void aPeerTrainsAndSendsTheModelWithTheLowestLossOnly() {
    Driver peer = Driver.peer(method(Averaging.BATCH), 50);
    List<Weights> starts =
        IntStream.range(0, CLUSTERS).mapToObj(i -> Driver.weights(i, i)).toList();
    assertThat(peer.started(0))
        .containsExactly(
            new Effect.Compute(
                1,
                new Ticket.Losses(
                    starts.stream().map(Mixture::of).toList(),
                    DataView.own(DataView.Split.TRAIN),
                    Ticket.Detail.MEAN)));
    assertThat(computed(peer, 1, losses(0.5f, 0.2f, 0.2f)))
        .as("the first of the lowest")
        .containsExactly(
            new Effect.Compute(
                1, Driver.TRAINING.round(starts.get(1), new PeerId(50), 1).ofModel(1)));
    assertThat(peer.trained(1, model(1)))
        .contains(
            new Effect.Send(
                new PeerId(0),
                new NeighbourUpdate(
                    1, 1, ModelUpdate.of(new SlotModel(1, model(1), 1)), false, 0)));
  }

  /**
   * Feeds updates in random order, computes pending mixtures after some of them, and returns the
   * models at the end.
   */
  private static List<Weights> merged(
      Averaging averaging, List<NeighbourUpdate> neighbourUpdates, RandomStream random) {
    long[] neighbours = LongStream.range(0, neighbourUpdates.size()).toArray();
    Driver peer = waiting(method(averaging), neighbours);
    List<Effect> effects = List.of();
    for (int from : random.permutation(neighbourUpdates.size())) {
      List<Effect> asked = peer.received(from, neighbourUpdates.get(from));
      effects = asked.isEmpty() ? effects : asked;
      if (random.nextInt(3) > 0) {
        effects = mix(peer, effects);
      }
    }
    mix(peer, effects);
    return models(peer);
  }

  private static List<Effect> mix(Driver peer, List<Effect> effects) {
    List<Effect> next = effects;
    while (!next.isEmpty()
        && next.getLast() instanceof Effect.Compute(long ticket, Ticket.Mix mix)) {
      next = peer.mixed(ticket, VectorKernels.mix(mix.mixture()));
    }
    return next;
  }

  @ParameterizedTest
  @EnumSource(Averaging.class)
  void theRunningAverageIsTheBatchAverageInAnyOrderOfArrival(Averaging averaging) {
    for (int seed = 0; seed < 200; seed++) {
      RandomStream random = new RandomStreams(seed).stream(new Purpose("orders"), 0, 0);
      int count = 1 + random.nextInt(12);
      List<NeighbourUpdate> neighbourUpdates = new ArrayList<>();
      double[][] sums = {{0, 0}, {1, -1}, {2, 2}};
      int[] counts = {1, 1, 1};
      for (int i = 0; i < count; i++) {
        int slot = random.nextInt(CLUSTERS);
        float[] values = {(float) random.nextGaussian(), (float) random.nextGaussian()};
        neighbourUpdates.add(offer(1, slot, Driver.weights(values)));
        sums[slot][0] += values[0];
        sums[slot][1] += values[1];
        counts[slot]++;
      }
      List<Weights> merged = merged(averaging, neighbourUpdates, random);
      for (int slot = 0; slot < CLUSTERS; slot++) {
        for (int i = 0; i < 2; i++) {
          assertThat((double) merged.get(slot).get(i))
              .as("seed %d, slot %d", seed, slot)
              .isCloseTo(sums[slot][i] / counts[slot], within(1e-5));
        }
      }
    }
  }

  @Test
  void aModelIsTakenInAsSoonAsItComesAndThoseThatComeMeanwhileTogether() {
    Driver peer = waiting(method(Averaging.RUNNING), 0, 1, 2, 3);
    Weights start = models(peer).get(2);
    assertThat(peer.received(0, offer(1, 2, model(7))))
        .containsExactly(
            ExpectedMixture.of(1, 2, Weighting.EQUAL)
                .own(start, 0.5)
                .from(0, model(7), 0.5, NOT_REPORTED)
                .effects());
    assertThat(peer.received(1, offer(1, 2, model(4)))).as("not before the last").isEmpty();
    assertThat(peer.received(3, offer(1, 2, model(5)))).isEmpty();
    assertThat(peer.mixed(1, model(3)))
        .as("the average so far is of two models")
        .containsExactly(
            ExpectedMixture.of(1, 2, Weighting.EQUAL)
                .own(model(3), 0.5)
                .from(1, model(4), 0.25, NOT_REPORTED)
                .from(3, model(5), 0.25, NOT_REPORTED)
                .effects());
  }

  /** A peer with neighbours 0 and 1 whose trained model 1 is averaged with the one of peer 0. */
  private static Driver averagedOnce() {
    Driver peer = waiting(method(Averaging.RUNNING), 0, 1);
    peer.received(0, offer(1, 1, model(3)));
    peer.mixed(1, model(2));
    assertThat(models(peer).get(1)).isEqualTo(model(2));
    return peer;
  }

  private static Effect trainedUpdate(long to, int degree, boolean requestsReply) {
    ModelUpdate update = ModelUpdate.of(new SlotModel(1, model(1), 1));
    return new Effect.Send(
        new PeerId(to), new NeighbourUpdate(1, degree, update, requestsReply, 0));
  }

  @Test
  void aNewNeighbourGetsTheTrainedModelNotTheAverage() {
    assertThat(averagedOnce().neighboursChanged(0, 1, 2)).contains(trainedUpdate(2, 3, true));
  }

  @Test
  void aRequestIsAnsweredWithTheTrainedModelNotTheAverage() {
    Driver peer = averagedOnce();
    NeighbourUpdate asking =
        new NeighbourUpdate(1, 2, ModelUpdate.of(new SlotModel(1, model(3), 10)), true, 0);
    assertThat(peer.received(0, asking)).containsExactly(trainedUpdate(0, 2, false));
  }

  @Test
  void aRestoredPeerSendsTheTrainedModelNotTheAverage() {
    assertThat(averagedOnce().restored(0, 1))
        .contains(trainedUpdate(0, 2, true), trainedUpdate(1, 2, true));
  }

  @Test
  void theUpdateOfARoundIsKeptUntilTheNextOne() {
    Driver peer = averagedOnce();
    peer.received(1, offer(1, 2, model(5)));
    peer.mixed(1, model(6));
    computed(peer, 1, losses(0.5f, 0.9f, 0.2f));
    NeighbourUpdate asking =
        new NeighbourUpdate(1, 2, ModelUpdate.of(new SlotModel(1, model(3), 10)), true, 0);
    assertThat(peer.received(0, asking))
        .as("in round 2, before its training is complete")
        .containsExactly(Driver.counted("late-model"), trainedUpdate(0, 2, false));
  }

  @Test
  void whoIsMissingIsNotAveraged() {
    Driver peer = waiting(method(Averaging.RUNNING), 0, 1);
    peer.received(0, offer(1, 1, model(3)));
    peer.mixed(1, model(2));
    assertThat(peer.timerFired("round-timeout", 1))
        .startsWith(Driver.counted("patience-ended"))
        .last()
        .isInstanceOfSatisfying(
            Effect.Compute.class,
            compute -> assertThat(compute.work()).isInstanceOf(Ticket.Losses.class));
    assertThat(models(peer)).containsExactly(Driver.weights(0, 0), model(2), Driver.weights(2, 2));
  }

  @Test
  void whoWentWhileItsModelWasTakenInIsNotMixedInTheNextRound() {
    Driver peer = waiting(method(Averaging.RUNNING), 0, 1);
    peer.received(0, offer(1, 1, model(3)));
    peer.received(0, offer(2, 1, model(4)));
    peer.neighboursChanged(1);
    peer.mixed(1, model(2));
    peer.received(1, offer(1, 1, model(5)));
    peer.mixed(1, model(6));
    computed(peer, 1, losses(0.5f, 0.2f, 0.9f));
    computed(peer, 2, losses(0.5f, 0.2f, 0.9f));
    assertThat(peer.trained(2, model(7)))
        .as("it waits for its only neighbour")
        .noneMatch(Effect.Compute.class::isInstance)
        .anyMatch(
            each ->
                each instanceof Effect.Send(PeerId to, NeighbourUpdate _)
                    && to.equals(new PeerId(1)));
  }

  @Test
  void everyPeerDrawsStartingPointsOfItsOwnIfTold() {
    Dfca own = new Dfca(CLUSTERS, Start.LOCAL, Averaging.BATCH, 1, TimeoutPolicy.of(60), 0);
    List<Weights> seen = new ArrayList<>();
    for (long self = 0; self < 4; self++) {
      seen.addAll(models(Driver.peer(own, self)));
    }
    assertThat(seen).doesNotHaveDuplicates().hasSize(4 * CLUSTERS);
  }

  @Test
  void everyPeerCanComputeTheParticipants() {
    PeerContext context = Driver.peerContext(50);
    HardClusters algorithm = new HardClusters(context, CLUSTERS, false, true, 0.3);
    HardClusters other = new HardClusters(Driver.peerContext(51), CLUSTERS, false, true, 0.3);
    int taking = 0;
    for (int number = 0; number < 100; number++) {
      for (int round = 1; round <= 20; round++) {
        PeerId peer = new PeerId(number);
        assertThat(algorithm.participates(peer, round)).isEqualTo(other.participates(peer, round));
        taking += algorithm.participates(peer, round) ? 1 : 0;
      }
    }
    // 2,000 draws of 0.3: four deviations are 82.
    assertThat(taking).isBetween(600 - 82, 600 + 82);
  }

  @Test
  void whoTakesNoPartNeitherWorksNorIsWaitedFor() {
    Dfca some = new Dfca(CLUSTERS, Start.GLOBAL, Averaging.BATCH, 0.5, TimeoutPolicy.of(60), 0);
    HardClusters lots = new HardClusters(Driver.peerContext(0), CLUSTERS, false, false, 0.5);
    long[] neighbours = LongStream.range(0, 20).toArray();
    long self = first(neighbours, lots, true);
    long idle = first(neighbours, lots, false);
    Driver peer = Driver.peer(some, self);
    peer.started(idle);
    computed(peer, 1, losses(0.5f, 0.2f, 0.9f));
    assertThat(peer.trained(1, model(1)))
        .noneMatch(Effect.Send.class::isInstance)
        .last()
        .isInstanceOf(Effect.Compute.class);
    Driver idler = Driver.peer(some, idle);
    assertThat(idler.started(self))
        .as("looks only at what it would deploy")
        .allMatch(
            effect ->
                effect instanceof Effect.Compute compute
                    && compute.work() instanceof Ticket.Losses);
  }

  private static long first(long[] peers, HardClusters lots, boolean taking) {
    return Arrays.stream(peers)
        .filter(peer -> lots.participates(new PeerId(peer), 1) == taking)
        .findFirst()
        .orElseThrow();
  }
}
