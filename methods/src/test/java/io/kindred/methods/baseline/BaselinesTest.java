package io.kindred.methods.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.rounds.ServerMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

class BaselinesTest {
  private static final Weights START = Driver.weights(0, 0);

  private static Effect train(Weights from, DataView.Owner owner, PeerId self, int round) {
    DataView view = new DataView(owner, DataView.Split.TRAIN, new DataView.Selection.All());
    return new Effect.Compute(
        round,
        new Ticket.Train(
            from,
            Objective.plain(),
            view,
            new Optimizer(0.1, 0.25, 0.01),
            8,
            new Ticket.Duration.Epochs(2),
            new StreamKey(Purpose.BATCHES, self.number(), round)));
  }

  private static Effect trainOwn(Weights from, int round) {
    return train(from, DataView.Owner.SELF, new PeerId(4), round);
  }

  private static Effect local(int round, Stage stage, Weights weights) {
    return Driver.deployed(round, stage, weights, Audience.SELF);
  }

  @Test
  void aLocalPeerTrainsRoundAfterRoundAndDeploysWhatItTrained() {
    Driver peer = Driver.peer(new Local(), 4);
    assertThat(peer.started(1, 2)).containsExactly(trainOwn(START, 1));
    assertThat(peer.trained(1, Driver.model(1)))
        .containsExactly(
            local(1, Stage.TRAINED, Driver.model(1)),
            local(1, Stage.MIXED, Driver.model(1)),
            trainOwn(Driver.model(1), 2));
    assertThat(peer.trained(2, Driver.model(2))).hasSize(3).contains(trainOwn(Driver.model(2), 3));
    assertThat(peer.trained(3, Driver.model(3)))
        .containsExactly(
            local(3, Stage.TRAINED, Driver.model(3)), local(3, Stage.MIXED, Driver.model(3)));
  }

  @Test
  void aLocalPeerMindsNothingElse() {
    Driver peer = Driver.peer(new Local(), 4);
    peer.started(1);
    peer.ignoresTheRest(
        new Event.Received(1, new PeerId(1), new ServerMessage.ServerModels(1, List.of(START), 0)),
        new Event.SendFailed(
            1, new PeerId(1), new ServerMessage.ServerModels(1, List.of(START), 0)),
        new Event.TimerFired(1, new Timer("deadline", 1)),
        new Event.NeighboursChanged(1, List.of()),
        new Event.LinkMeasured(1, new PeerId(1), 1, 1, 0),
        new Event.LeaveRequested(1),
        new Event.Computed(1, 1, new Result.Mixed(START)));
  }

  @Test
  void aRestoredLocalPeerTrainsItsRoundAgain() {
    Driver peer = Driver.peer(new Local(), 4);
    peer.started();
    peer.trained(1, Driver.model(1));
    assertThat(peer.restored()).containsExactly(trainOwn(Driver.model(1), 2));
  }

  @Test
  void aLocalPeerRestoredAfterItsLastRoundRests() {
    Driver peer = Driver.peer(new Local(), 4);
    peer.started();
    for (int round = 1; round <= Driver.ROUNDS; round++) {
      peer.trained(round, Driver.model(round));
    }
    assertThat(peer.restored(1)).isEmpty();
  }

  @Test
  void centralizedTrainsTheDataOfAllPeersAtTheServer() {
    Driver server = Driver.server(new Centralized(), 0, 1, 2);
    assertThat(server.started())
        .containsExactly(train(START, DataView.Owner.EVERYONE, Driver.SERVER, 1));
    assertThat(server.trained(1, Driver.model(1)))
        .containsExactly(
            Driver.deployed(1, Stage.MIXED, Driver.model(1), Audience.EVERYONE),
            train(Driver.model(1), DataView.Owner.EVERYONE, Driver.SERVER, 2));
    server.trained(2, Driver.model(2));
    assertThat(server.trained(3, Driver.model(3)))
        .containsExactly(Driver.deployed(3, Stage.MIXED, Driver.model(3), Audience.EVERYONE));
    assertThat(server.restored()).isEmpty();
  }

  @Test
  void centralizedLeavesPeersWithNothingToDo() {
    Centralized method = new Centralized();
    assertThat(method.hasServer()).isTrue();
    assertThat(method.pooledData()).isTrue();
    assertThat(method.layers(Driver.peerContext(1))).isEmpty();
  }
}
