package io.kindred.node.task;

import io.kindred.core.config.Setting;

/** When a node of a task takes a new model into use, and which earlier ones it keeps. */
public record DeploymentSettings(
    @Setting(doc = "folder of the deployed model and the earlier ones", fallback = "deployed")
        String folder,
    @Setting(
            doc =
                "rounds between two models that may be deployed, besides that of the last round; 0"
                    + " deploys that one only",
            fallback = "5",
            min = 0,
            max = 1e6)
        int everyRounds,
    @Setting(
            doc =
                "how much less accurate on the held-out samples a new model may be than the"
                    + " deployed one to replace it",
            fallback = "0.02",
            min = 0,
            max = 1)
        double tolerance,
    @Setting(
            doc = "models that are kept, the deployed one besides",
            fallback = "5",
            min = 1,
            max = 1000)
        int keep) {
  /** Whether the model of a round that is not the last one may be deployed. */
  public boolean offers(int round) {
    return everyRounds > 0 && round % everyRounds == 0;
  }
}
