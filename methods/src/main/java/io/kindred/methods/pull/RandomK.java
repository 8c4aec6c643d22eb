package io.kindred.methods.pull;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.discovery.RandomDiscovery;

/**
 * Pulls from random peers, and mixes their models as SemanticDFL does: the baseline that a search
 * for similar peers must beat.
 */
@Named(
    value = "random-k",
    summary = "pulls and mixes the models of random peers; the baseline for similarity")
public record RandomK(
    @Setting(doc = "how many models are pulled and how they are mixed", fallback = "{}")
        PullSettings pull,
    @Setting(
            doc =
                "which peers are drawn from: `random`, all peers, which only a simulator can; or"
                    + " `neighbours`",
            fallback = "random")
        PeerDiscovery discovery)
    implements PullMethod {
  public RandomK {
    if (!(discovery instanceof RandomDiscovery || discovery instanceof NeighbourDiscovery)) {
      throw new SettingException(
          "discovery",
          "random-k does not choose peers by similarity",
          "choose `random` or `neighbours`, or the method semantic-dfl");
    }
  }
}
