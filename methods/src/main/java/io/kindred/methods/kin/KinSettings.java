package io.kindred.methods.kin;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.record.Buildable;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.protocol.discovery.SimilarityDraw;
import io.kindred.protocol.overlay.Candidate;
import java.util.List;

/** The settings of {@link Kin}; each part of the method can be turned off. */
@Buildable
public record KinSettings(
    @Setting(doc = "number K of models that a peer pulls in a round", fallback = "10", min = 1)
        int k,
    @Setting(
            doc =
                "temperature of the draw of peers by similarity: a lower one asks only the most"
                    + " similar peers, a large one asks all alike",
            fallback = "0.1",
            above = 0,
            tune = "0.03..0.5 log")
        double temperature,
    @Setting(
            doc =
                "whether the draw takes similarities relative to the mean m of those of the known"
                    + " peers, (similarity - m) / max(0.2, 1 - m), in which the least"
                    + " similar third counts like the next peer; false takes the similarities"
                    + " themselves, with which groups of peers that conflict may merge",
            fallback = "true")
        boolean relative,
    @Setting(
            doc =
                "least weight of a peer in the draw, as a share of that of the third most similar"
                    + " peer: less similar peers are not asked, even if that leaves fewer than k;"
                    + " 0 asks k peers, however unlike they are",
            fallback = "0.1",
            min = 0,
            max = 1)
        double leastWeight,
    @Setting(
            doc =
                "rounds for which the cosine that the guard computed from a pulled model replaces"
                    + " the one of the sketches in the draw; 0 draws by the sketches alone",
            fallback = "0",
            min = 0,
            max = 100)
        int guardCosines,
    @Setting(doc = "how pulled models are weighed", fallback = "{}") MixSettings mix,
    @Setting(doc = "velocity of the shared model", fallback = "{}") MomentumSettings momentum,
    @Setting(doc = "how the personal model follows the shared one", fallback = "{}")
        PersonalSettings personal,
    @Setting(
            doc =
                "share of a running average of models that each round keeps; peers deploy the"
                    + " averages. 0 deploys the models themselves",
            fallback = "0.6",
            min = 0,
            max = 0.999)
        double average,
    @Setting(doc = "how a peer chooses what it deploys", fallback = "{}") ChoiceSettings choice,
    @Setting(
            doc =
                "whether the outputs are corrected by the frequencies of the classes in the peer's"
                    + " samples, in training and in use",
            fallback = "false")
        boolean prior,
    @Setting(
            doc = "rounds that the shares of the schedule refer to; 0 takes the rounds of the run",
            fallback = "0",
            min = 0)
        int horizon,
    @Setting(
            doc = "rounds that a pulled model may lag behind and still be mixed",
            fallback = "5",
            min = 0,
            max = 1000)
        int staleness,
    @Setting(
            doc = "how long a peer waits for the models that it requested",
            fallback = "{factor: 3, minSeconds: 10}")
        TimeoutPolicy timeout,
    @Setting(doc = "how similar peers are found", fallback = "views") PeerDiscovery discovery) {
  public KinSettings {
    if (guardCosines > 0 && !discovery.estimatesCosines()) {
      throw new SettingException(
          "guardCosines",
          "the discovery does not compare changes of whole models, so its similarities and the"
              + " cosines of the guard do not belong together",
          "set it to 0, or choose the discovery `views`");
    }
  }

  SimilarityDraw draw(List<Candidate> measured) {
    return new SimilarityDraw(temperature, relative, leastWeight, measured);
  }
}
