package io.kindred.methods.kin;

import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.NeighbourDiscovery;

/** The method with its defaults, over neighbours, so that one peer can be driven by hand. */
final class KinFixture {
  static final MixSettings MIX = new MixSettings(true, 3, 0.5, 2, 4, true);
  static final ChoiceSettings CHOICE =
      new ChoiceSettings(
          ChoiceSettings.Decision.SHARED, Choice.ENSEMBLE, 0.05, 0.375, 3, 0.5, 0, 0);

  private KinFixture() {}

  static KinSettings settings() {
    return new KinSettings(
        2,
        0.1,
        true,
        0,
        0,
        MIX,
        new MomentumSettings(MomentumSettings.Rule.MIXED, 0.2),
        new PersonalSettings(0.2, 0.25),
        0.6,
        CHOICE,
        false,
        0,
        5,
        TimeoutPolicy.of(20),
        new NeighbourDiscovery());
  }

  static KinSettings withHorizon(int horizon) {
    return KinSettingsBuilder.from(settings()).horizon(horizon).build();
  }

  static KinSettings deploying(Choice choice) {
    return KinSettingsBuilder.from(settings())
        .choice(
            new ChoiceSettings(ChoiceSettings.Decision.FIXED, choice, 0.05, 0.375, 3, 0.5, 0, 0))
        .build();
  }
}
