package io.kindred.methods.kin;

import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.PeerContextBuilder;
import org.junit.jupiter.api.Test;

class KinTrainingTest {
  /** 20 and 10 samples of two classes, half a sample added to each. */
  @Test
  void thePriorAddsTheLogarithmsOfTheClassFrequenciesToTheOutputBias() {
    KinSettings corrected = KinSettingsBuilder.from(KinFixture.settings()).prior(true).build();
    KinTraining training = new KinMachine(corrected, Driver.peerContext(1)).rules().training();
    Weights shifted = training.withPrior(weights(3, 4), 1);
    assertThat(shifted.get(0)).isEqualTo((float) (3 + Math.log(20.5 / 31)), within(1e-6f));
    assertThat(shifted.get(1)).isEqualTo((float) (4 + Math.log(10.5 / 31)), within(1e-6f));
    assertThat(training.withPrior(shifted, -1).get(1)).isEqualTo(4, within(1e-6f));
  }

  @Test
  void aPriorThatTheModelHasNoBiasForIsRefusedAtTheStart() {
    KinSettings corrected = KinSettingsBuilder.from(KinFixture.settings()).prior(true).build();
    PeerContext threeClasses =
        PeerContextBuilder.from(Driver.peerContext(1)).labelCounts(Ints.of(9, 9, 12)).build();
    assertThatThrownBy(() -> new KinMachine(corrected, threeClasses).initial())
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("is no bias of the classes");
  }
}
