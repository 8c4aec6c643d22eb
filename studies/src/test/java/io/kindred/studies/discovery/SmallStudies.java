package io.kindred.studies.discovery;

import io.kindred.runtime.config.Experiment;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.Overrides;
import java.util.List;

/** Small studies for tests. */
final class SmallStudies {
  private SmallStudies() {}

  /** The usual study with some settings changed, such as {@code peers=50}. */
  static DiscoveryStudy study(String... assignments) {
    return new Binder(Experiment.CATALOGUES)
        .bind(
            DiscoveryStudy.class,
            Overrides.apply(ConfigFile.parse("discovery", "{}\n"), List.of(assignments)));
  }

  static PeerVectors vectors(DiscoveryStudy study) {
    return new PlantedVectors(study.drawn(), study.peers(), study.seed());
  }

  /** A network of views after all rounds of the study. */
  static ViewsRun run(String... assignments) {
    DiscoveryStudy study = study(assignments);
    ViewsRun run = new ViewsRun(study, vectors(study));
    for (int round = 1; round <= study.rounds(); round++) {
      run.round(round);
    }
    return run;
  }
}
