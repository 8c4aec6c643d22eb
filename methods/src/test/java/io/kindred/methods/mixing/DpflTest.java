package io.kindred.methods.mixing;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.methods.rounds.SlotModel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DpflTest {
  private static Ticket work(List<Effect> effects) {
    return ((Effect.Compute) effects.getLast()).work();
  }

  private static NeighbourUpdate neighbourUpdate(int round, int number) {
    return new NeighbourUpdate(
        round, 2, ModelUpdate.of(new SlotModel(0, model(number), Driver.SAMPLES)), false, 0);
  }

  private static List<Effect> losses(Driver peer, int round, float... values) {
    List<Floats> rows = new ArrayList<>();
    for (float value : values) {
      rows.add(Floats.of(value));
    }
    return peer.feed(new Event.Computed(9, round, new Result.Losses(rows)));
  }

  /** Peer 1 with model 1; neighbours 0, 2 and 3 with models 10, 20 and 30. */
  private static Driver asking(int budget) {
    Driver peer =
        Driver.peer(
            new Dpfl(
                budget,
                2,
                Dpfl.SelectionSplit.VALIDATION,
                TimeoutPolicy.of(60),
                0,
                PartnerSettings.NEIGHBOURS),
            1);
    peer.started(0, 2, 3);
    peer.trained(1, model(1));
    peer.received(0, neighbourUpdate(1, 10));
    peer.received(2, neighbourUpdate(1, 20));
    assertThat(work(peer.received(3, neighbourUpdate(1, 30))))
        .isEqualTo(
            new Ticket.Losses(
                List.of(
                    Mixture.of(model(1)),
                    Mixture.mean(List.of(model(1), model(10))),
                    Mixture.mean(List.of(model(1), model(20))),
                    Mixture.mean(List.of(model(1), model(30)))),
                DataView.own(DataView.Split.VALIDATION),
                Ticket.Detail.MEAN));
    return peer;
  }

  @Test
  void theMostHelpfulNeighbourIsAddedUntilNoneHelps() {
    Driver peer = asking(3);
    assertThat(work(losses(peer, 1, 1.0f, 0.9f, 0.7f, 1.2f)))
        .isEqualTo(
            new Ticket.Losses(
                List.of(
                    Mixture.mean(List.of(model(1), model(10), model(20))),
                    Mixture.mean(List.of(model(1), model(20), model(30)))),
                DataView.own(DataView.Split.VALIDATION),
                Ticket.Detail.MEAN));
    assertThat(work(losses(peer, 1, 0.71f, 0.8f)))
        .isEqualTo(new Ticket.Mix(Mixture.mean(List.of(model(1), model(20)))));
  }

  @Test
  void theBudgetEndsTheChoice() {
    Driver peer = asking(1);
    assertThat(work(losses(peer, 1, 1.0f, 0.9f, 0.7f, 0.8f)))
        .isEqualTo(new Ticket.Mix(Mixture.mean(List.of(model(1), model(20)))));
  }

  @Test
  void aPeerWithoutAHelpfulNeighbourStaysAlone() {
    Driver peer = asking(2);
    assertThat(work(losses(peer, 1, 0.5f, 0.9f, 0.7f, 0.8f)))
        .isEqualTo(new Ticket.Mix(Mixture.of(model(1))));
  }

  @Test
  void collaboratorsAreKeptForAWhileAndThenChosenAnew() {
    Driver peer = asking(1);
    losses(peer, 1, 1.0f, 0.9f, 0.7f, 0.8f);
    peer.mixed(1, model(2));
    for (int round = 2; round <= 3; round++) {
      peer.trained(round, model(2));
      peer.received(0, neighbourUpdate(round, 11));
      peer.received(2, neighbourUpdate(round, 21));
      Ticket next = work(peer.received(3, neighbourUpdate(round, 31)));
      if (round == 2) {
        assertThat(next).isEqualTo(new Ticket.Mix(Mixture.mean(List.of(model(2), model(21)))));
        peer.mixed(2, model(3));
      } else {
        assertThat(next).isInstanceOf(Ticket.Losses.class);
      }
    }
  }
}
