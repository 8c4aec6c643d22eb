package io.kindred.methods.hfl;

import static io.kindred.methods.contract.Driver.SERVER;
import static io.kindred.methods.contract.Driver.model;
import static io.kindred.methods.hfl.HflTest.only;
import static io.kindred.methods.hfl.HflTest.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Ticks;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.hfl.HflMessage.Begin;
import io.kindred.methods.hfl.HflMessage.SubmitReport;
import io.kindred.methods.hfl.formation.EnergySettings;
import io.kindred.methods.hfl.formation.FormationSettingsBuilder;
import io.kindred.methods.hfl.formation.HeadSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two joules for a megabyte sent, three for one received, five for a second of training. */
class SpentEnergyTest {
  private static Hfl method() {
    Hfl usual = HflTest.method(Hfl.Feature.DIFFERENCE, Hfl.Start.FEATURE);
    return HflBuilder.from(usual)
        .clusters(
            FormationSettingsBuilder.from(usual.clusters())
                .heads(
                    new HeadSettings(
                        HeadSettings.Rule.ENERGY, List.of(), 1.5, new EnergySettings(2, 3, 5)))
                .build())
        .build();
  }

  /** Trains for two seconds for its feature, and reports. */
  private static ClientReport report(Driver client, RoundAttempt attempt, double seconds) {
    Effect.Compute training =
        only(
            Effect.Compute.class,
            client.feed(
                new Event.Received(
                    Ticks.ofSeconds(seconds), SERVER, new Begin(attempt, model(0)))));
    Effect.Compute extracting =
        only(
            Effect.Compute.class,
            client.feed(
                new Event.Computed(
                    Ticks.ofSeconds(seconds + 2),
                    training.ticket(),
                    new Result.Trained(model(9), 1, 8))));
    Result feature = new Result.Answered(((Ticket.Call) extracting.work()).function().apply());
    return ((SubmitReport)
            sent(client.feed(
                    new Event.Computed(Ticks.ofSeconds(seconds + 2), extracting.ticket(), feature)))
                .getFirst())
        .report();
  }

  @Test
  void aClientReportsWhatReceivingTrainingAndSendingHaveCost() {
    Driver client = Driver.peer(method(), 0);
    client.started(1);
    double megabytes = model(0).bytes() / 1e6;

    ClientReport first = report(client, new RoundAttempt(0, 1, 0), 1);
    assertThat(first.spentJoules()).isCloseTo(3 * megabytes, within(1e-12));
    ClientReport second = report(client, new RoundAttempt(0, 2, 50), 10);
    assertThat(second.spentJoules())
        .isCloseTo(2 * 3 * megabytes + 5 * 2 + 2 * megabytes, within(1e-12));
  }
}
