package io.kindred.methods.personal;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.PeerContextBuilder;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.methods.rounds.ServerMessage;
import io.kindred.methods.rounds.ServerRoundAlgorithm;
import io.kindred.methods.rounds.SlotModel;
import java.util.List;
import org.junit.jupiter.api.Test;

class PersonalTest {
  private static final Weights START = Driver.weights(0, 0);

  private static Ticket work(List<Effect> effects) {
    return ((Effect.Compute) effects.getLast()).work();
  }

  private static Message sent(List<Effect> effects) {
    return effects.stream()
        .filter(Effect.Send.class::isInstance)
        .map(effect -> ((Effect.Send) effect).message())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void dittoTrainsTheCommonModelAndThenItsOwnHeldNearWhatThatWas() {
    Driver client =
        Driver.peer(new Ditto(0.3, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(60))), 0);
    client.started();
    Ticket.Train common =
        (Ticket.Train)
            work(client.received(10, new ServerMessage.ServerModels(1, List.of(model(5)), 0)));
    assertThat(common).isEqualTo(Driver.TRAINING.round(model(5), new PeerId(0), 1));
    Ticket.Train own = (Ticket.Train) work(client.trained(1, model(6)));
    assertThat(own.from()).as("its own is where it left off").isEqualTo(START);
    assertThat(own.objective().terms()).containsExactly(new Objective.Term.Proximal(model(5), 0.3));
    List<Effect> effects = client.trained(1, model(8));
    assertThat(effects).contains(Driver.deployed(1, Stage.TRAINED, model(8), Audience.SELF));
    // The client sends the common model and deploys its own after the server's next models.
    assertThat(sent(effects).toString())
        .contains(ModelUpdate.of(new SlotModel(0, model(6), 30)).toString());
    assertThat(client.received(10, new ServerMessage.ServerModels(2, List.of(model(7)), 0)))
        .contains(Driver.deployed(1, Stage.MIXED, model(8), Audience.SELF));
  }

  /**
   * Training can leave a model unchanged if steps are below float precision or gradients are zero.
   */
  @Test
  void dittoSendsTheCommonModelEvenIfTrainingLeftItAsItWas() {
    Driver client =
        Driver.peer(new Ditto(0.3, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(60))), 0);
    client.started();
    client.received(10, new ServerMessage.ServerModels(1, List.of(model(5)), 0));
    client.trained(1, model(5));
    assertThat(sent(client.trained(1, model(8))).toString())
        .contains(ModelUpdate.of(new SlotModel(0, model(5), 30)).toString());
  }

  @Test
  void dittoWithoutALeashTrainsItsOwnAsIfAlone() {
    Driver client =
        Driver.peer(new Ditto(0, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(60))), 0);
    client.started();
    client.received(10, new ServerMessage.ServerModels(1, List.of(model(5)), 0));
    assertThat(work(client.trained(1, model(6))))
        .isEqualTo(Driver.TRAINING.round(START, new PeerId(0), 1).ofModel(1));
  }

  /** The nearest point to (0.9, 0.5, -1) with sum one takes 0.2 off the first two. */
  @Test
  void theSimplexIsReachedByOneShift() {
    assertThat(CollaborationGraph.projectOntoSimplex(new double[] {0.9, 0.5, -1}))
        .containsExactly(new double[] {0.7, 0.3, 0}, within(1e-12));
    assertThat(CollaborationGraph.projectOntoSimplex(new double[] {5, 0}))
        .containsExactly(new double[] {1, 0}, within(1e-12));
    assertThat(CollaborationGraph.projectOntoSimplex(new double[] {0.2, 0.2, 0.2, 0.2}))
        .containsExactly(new double[] {0.25, 0.25, 0.25, 0.25}, within(1e-12));
  }

  /**
   * Models (1, 0), (1, 1), (0, 1), as many samples each, lambda 1: the first is like the others
   * with cosines 1, 0.70711, 0, so its point is 1/3 plus half of that, 0.83333, 0.68689, 0.33333;
   * less 0.28452 each that is 0.54882, 0.40237, 0.04882.
   */
  @Test
  void sharesFollowSimilaritiesAndSamples() {
    CollaborationGraph collaborationGraph =
        new CollaborationGraph(
            START,
            List.of(Driver.weights(1, 0), Driver.weights(1, 1), Driver.weights(0, 1)),
            List.of(10.0, 10.0, 10.0),
            1);
    List<Double> first =
        ((ServerRoundAlgorithm.MixingShares) collaborationGraph.apply()).shares().getFirst();
    assertThat(first.get(0)).isCloseTo(0.54882, within(1e-5));
    assertThat(first.get(1)).isCloseTo(0.40237, within(1e-5));
    assertThat(first.get(2)).isCloseTo(0.04882, within(1e-5));
  }

  @Test
  void aVeryStrongPriorMakesPfedgraphFederatedAveraging() {
    CollaborationGraph collaborationGraph =
        new CollaborationGraph(
            START, List.of(Driver.weights(1, 0), Driver.weights(-1, 0)), List.of(10.0, 30.0), 1e12);
    for (List<Double> row :
        ((ServerRoundAlgorithm.MixingShares) collaborationGraph.apply()).shares()) {
      assertThat(row.get(0)).isCloseTo(0.25, within(1e-9));
      assertThat(row.get(1)).isCloseTo(0.75, within(1e-9));
    }
  }

  @Test
  void theServerMixesForEveryPeerAModelOfItsOwn() {
    PFedGraph method = new PFedGraph(0.8, 0.01, RoundSettings.of(TimeoutPolicy.of(60)));
    Driver server = Driver.server(method, 0, 1);
    server.started();
    server.received(0, delivery(method, 0, model(1)));
    Ticket.Call sharesTicket =
        (Ticket.Call) work(server.received(1, delivery(method, 1, model(-1))));
    assertThat(sharesTicket.function())
        .isEqualTo(
            new CollaborationGraph(START, List.of(model(1), model(-1)), List.of(30.0, 30.0), 0.8));
    Result shares =
        new Result.Answered(
            new ServerRoundAlgorithm.MixingShares(List.of(List.of(0.9, 0.1), List.of(0.0, 1.0))));
    assertThat(work(server.feed(new Event.Computed(20, 1, shares))))
        .isEqualTo(
            new Ticket.Mix(
                new Mixture(
                    List.of(new MixturePart(model(1), 0.9), new MixturePart(model(-1), 0.1)))));
    assertThat(work(server.mixed(1, model(2))))
        .isEqualTo(new Ticket.Mix(new Mixture(List.of(new MixturePart(model(-1), 1.0)))));
    assertThat(server.mixed(1, model(3)))
        .contains(
            new Effect.Send(new PeerId(0), new ServerMessage.ServerModels(2, List.of(model(2)), 0)),
            new Effect.Send(
                new PeerId(1), new ServerMessage.ServerModels(2, List.of(model(3)), 0)));
  }

  private static Message delivery(PFedGraph method, long self, Weights trained) {
    Driver client = Driver.peer(method, self);
    client.started();
    client.received(10, new ServerMessage.ServerModels(1, List.of(START), 0));
    return sent(client.trained(1, trained));
  }

  @Test
  void pfedgraphTrainsTowardsItsMixtureAndDeploysWhatItTrained() {
    Driver client = Driver.peer(new PFedGraph(0.8, 0.5, RoundSettings.of(TimeoutPolicy.of(60))), 0);
    client.started();
    assertThat(
            ((Ticket.Train)
                    work(client.received(10, new ServerMessage.ServerModels(1, List.of(START), 0))))
                .objective())
        .as("no direction leads from the start to itself")
        .isEqualTo(Objective.plain());
    assertThat(client.trained(1, model(3)))
        .contains(Driver.deployed(1, Stage.MIXED, model(3), Audience.SELF));
    Ticket.Train second =
        (Ticket.Train)
            work(client.received(10, new ServerMessage.ServerModels(2, List.of(model(2)), 0)));
    assertThat(second.from()).isEqualTo(model(2));
    assertThat(second.objective().terms())
        .containsExactly(new Objective.Term.Cosine(START, model(2), 0.5));
  }

  @Test
  void whoWasAwayForARoundDeploysWhatItHas() {
    Driver client = Driver.peer(new PFedGraph(0.8, 0.5, RoundSettings.of(TimeoutPolicy.of(60))), 0);
    client.started();
    client.received(10, new ServerMessage.ServerModels(1, List.of(START), 0));
    client.trained(1, model(3));
    assertThat(
            client.received(
                10, new ServerMessage.ServerModels(Driver.ROUNDS + 1, List.of(model(2)), 0)))
        .contains(Driver.deployed(Driver.ROUNDS, Stage.MIXED, model(3), Audience.SELF));
  }

  private static final Layout PARTS =
      Layout.builder().add("body.weight", 2).add("head.weight", 1).add("head.bias", 1).build();

  private static Weights parted(float... values) {
    return Weights.copyOf(PARTS, values);
  }

  private static Driver pushSum() {
    PeerContext parted =
        PeerContextBuilder.from(Driver.peerContext(1))
            .initialWeights(index -> parted(0, 0, 0, 0))
            .build();
    return new Driver(new DFedPgp(1, TimeoutPolicy.of(60), 0), parted);
  }

  private static NeighbourUpdate body(int degree, double mass, Weights weights) {
    return new NeighbourUpdate(
        1, degree, ModelUpdate.of(new SlotModel(0, weights, mass)), false, 0);
  }

  /**
   * Peer 1 has two neighbours, so it keeps a third of its mass 1; a neighbour with one neighbour
   * gives half of its mass 0.5. The new mass is 1/3 + 1/4 + 1/4 = 5/6, the shares 0.4, 0.3, 0.3.
   */
  @Test
  void bodiesArePushedWithTheirMassAndHeadsStay() {
    Driver peer = pushSum();
    Ticket.Train head = (Ticket.Train) work(peer.started(0, 2));
    assertThat(head.objective().layers()).containsExactly("head.weight", "head.bias");
    Ticket.Train body = (Ticket.Train) work(peer.trained(1, parted(0, 0, 7, 7)));
    assertThat(body.objective().layers()).containsExactly("body.weight");
    assertThat(sent(peer.trained(1, parted(10, 20, 7, 7))))
        .as("the head is not sent")
        .isEqualTo(body(2, 1, parted(10, 20, 0, 0)));
    peer.received(0, body(1, 0.5, parted(30, 40, 0, 0)));
    List<MixturePart> parts =
        ((Ticket.Mix) work(peer.received(2, body(1, 0.5, parted(50, 60, 0, 0))))).mixture().parts();
    assertThat(parts.get(0).coefficient()).isCloseTo(0.4, within(1e-12));
    assertThat(parts.get(1).coefficient()).isCloseTo(0.3, within(1e-12));
    assertThat(parts.get(2).coefficient()).isCloseTo(0.3, within(1e-12));
    List<Effect> effects = peer.mixed(1, parted(28, 38, 2.8f, 2.8f));
    assertThat(effects)
        .contains(Driver.deployed(1, Stage.MIXED, parted(28, 38, 7, 7), Audience.SELF));
    peer.trained(2, parted(28, 38, 7, 7));
    Ticket.Train next = (Ticket.Train) work(peer.restored(0, 2));
    assertThat(next.objective().layers()).as("cut off, it begins with the head").hasSize(2);
    Ticket.Train scaled = (Ticket.Train) work(peer.trained(2, parted(28, 38, 8, 8)));
    assertThat(scaled.optimizer().learningRate()).isCloseTo(0.1 / (5.0 / 6), within(1e-12));
  }

  @Test
  void aNeighbourThatGoesWhileBodiesAreMixedChangesNoMass() {
    Driver peer = pushSum();
    peer.started(0, 2);
    peer.trained(1, parted(0, 0, 7, 7));
    peer.trained(1, parted(10, 20, 7, 7));
    peer.received(0, body(1, 0.5, parted(30, 40, 0, 0)));
    peer.received(2, body(1, 0.5, parted(50, 60, 0, 0)));
    peer.neighboursChanged(0);
    peer.mixed(1, parted(28, 38, 0, 0));
    Ticket.Train scaled = (Ticket.Train) work(peer.trained(2, parted(28, 38, 8, 8)));
    assertThat(scaled.optimizer().learningRate()).isCloseTo(0.1 / (5.0 / 6), within(1e-12));
  }

  @Test
  void aModelOfOneLayerIsAllHead() {
    Driver peer = Driver.peer(new DFedPgp(1, TimeoutPolicy.of(60), 0), 1);
    peer.started(0);
    assertThat(peer.trained(1, model(3)))
        .contains(Driver.deployed(1, Stage.TRAINED, model(3), Audience.SELF))
        .noneMatch(Effect.Compute.class::isInstance);
  }

  /** Of its mass 1 peer 1 keeps a third and takes another for the neighbour that did not send. */
  @Test
  void whoDoesNotSendTakesNoMassAway() {
    Driver peer = pushSum();
    peer.started(0, 2);
    peer.trained(1, parted(0, 0, 7, 7));
    peer.trained(1, parted(10, 20, 7, 7));
    peer.received(0, body(2, 1, parted(40, 50, 0, 0)));
    List<MixturePart> parts =
        ((Ticket.Mix) work(peer.timerFired("round-timeout", 1))).mixture().parts();
    assertThat(parts.get(0).coefficient()).isCloseTo(2.0 / 3, within(1e-12));
    assertThat(parts.get(1).coefficient()).isCloseTo(1.0 / 3, within(1e-12));
    peer.mixed(1, parted(20, 30, 0, 0));
    Ticket.Train next = (Ticket.Train) work(peer.trained(2, parted(20, 30, 8, 8)));
    assertThat(next.optimizer().learningRate()).isCloseTo(0.1, within(1e-12));
  }
}
