package io.kindred.methods.kin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.discovery.ExactDiscovery;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.discovery.RandomDiscovery;
import io.kindred.methods.discovery.SignatureSettings;
import io.kindred.methods.discovery.ViewDiscovery;
import io.kindred.methods.kin.Contribution.Verdict;
import io.kindred.protocol.discovery.SketchForm;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.discovery.ViewSettings;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.SignatureRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cosines that the guard computed, as similarities of the next draws. */
class GuardCosinesTest {
  private static PeerDiscovery views(SketchRule.Subject of) {
    SketchRule rule = new SketchRule(of, SketchForm.INT8, 64, 0);
    return new ViewDiscovery(new ViewSettings(8, 8, 4, 8, 4, 10, 1, 0.8, true, 40, 3, 2, rule));
  }

  private static SignatureSettings signatures(SignatureRule.Subject of) {
    return new SignatureSettings(
        new SignatureRule(of, 0, 5, 0.8, 0, 0.05, 32, 0.9, 0.2, Precision.BFLOAT16), 0);
  }

  private static KinSettings settings(int rounds, PeerDiscovery discovery) {
    return KinSettingsBuilder.from(KinFixture.settings())
        .discovery(discovery)
        .guardCosines(rounds)
        .build();
  }

  private static KinMachine machine(int rounds) {
    return new KinMachine(
        settings(rounds, views(SketchRule.Subject.CHANGE)), Driver.peerContext(1));
  }

  private static Contribution pulled(long peer, double cosine, Verdict verdict) {
    return new Contribution(new PeerId(peer), 0.1, cosine, 1, verdict);
  }

  private static KinState inRound(KinState state, int round) {
    return KinStateBuilder.from(state).round(round).build();
  }

  private static Candidate measured(long peer, float cosine) {
    return new Candidate(new PeerId(peer), cosine);
  }

  @Test
  void theDrawTakesTheNewestCosineOfEachPeerForAsManyRoundsAsTheSettingSays() {
    KinMachine machine = machine(2);
    KinState first =
        inRound(machine.initial(), 1)
            .withCosines(
                List.of(pulled(4, 0.5, Verdict.ACCEPTED), pulled(2, -0.25, Verdict.OPPOSED)), 2);
    assertThat(machine.search(inRound(first, 2)).draw().measured())
        .containsExactly(measured(2, -0.25f), measured(4, 0.5f));
    KinState second = inRound(first, 2).withCosines(List.of(pulled(2, 0.75, Verdict.SHORTENED)), 2);
    assertThat(machine.search(inRound(second, 3)).draw().measured())
        .containsExactly(measured(2, 0.75f), measured(4, 0.5f));
    assertThat(machine.search(inRound(second, 4)).draw().measured())
        .containsExactly(measured(2, 0.75f));
    assertThat(machine.search(inRound(second, 5)).draw().measured()).isEmpty();
    KinState third = inRound(second, 3).withCosines(List.of(), 2);
    assertThat(third.cosines()).hasSize(1);
  }

  @Test
  void aModelThatCannotBeComparedHasNoCosine() {
    KinState state =
        machine(2).initial().withCosines(List.of(pulled(2, 0, Verdict.INCOMPARABLE)), 2);
    assertThat(state.cosines()).isEmpty();
  }

  @Test
  void withoutTheSettingNothingIsKept() {
    KinState state = machine(0).initial().withCosines(List.of(pulled(2, 1, Verdict.ACCEPTED)), 0);
    assertThat(state).isEqualTo(machine(0).initial());
  }

  @Test
  void theDrawHasTheSettingsOfTheMethod() {
    KinMachine machine =
        new KinMachine(
            KinSettingsBuilder.from(KinFixture.settings()).leastWeight(0.25).build(),
            Driver.peerContext(1));
    assertThat(machine.search(machine.initial()).draw().leastWeight()).isEqualTo(0.25);
  }

  /** Cosines of other vectors, or none at all, cannot stand beside those of the guard. */
  @Test
  void aDiscoveryThatDoesNotCompareChangesOfWholeModelsIsRefused() {
    SignatureSettings changes = signatures(SignatureRule.Subject.DELTA);
    for (PeerDiscovery refused :
        List.of(
            new NeighbourDiscovery(),
            new RandomDiscovery(changes),
            views(SketchRule.Subject.HEAD),
            new ExactDiscovery(ExactDiscovery.Similarity.UPDATE, changes),
            new ExactDiscovery(
                ExactDiscovery.Similarity.SIGNATURE, signatures(SignatureRule.Subject.WEIGHTS)))) {
      assertThatThrownBy(() -> settings(1, refused))
          .as("%s", refused)
          .isInstanceOf(SettingException.class)
          .hasMessageContaining("cosines of the guard");
    }
    for (PeerDiscovery taken :
        List.of(
            views(SketchRule.Subject.CHANGE),
            new ExactDiscovery(ExactDiscovery.Similarity.SIGNATURE, changes))) {
      assertThat(settings(1, taken).guardCosines()).isEqualTo(1);
    }
  }
}
