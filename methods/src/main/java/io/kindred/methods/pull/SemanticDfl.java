package io.kindred.methods.pull;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.methods.discovery.PeerDiscovery;

/**
 * Similarity-aware pulling (Dogani et al., 2026, SemanticDFL, sections 2.1, 3 and 4.1): a peer
 * trains, signs its model, finds the most similar peers over the overlay, pulls their models, and
 * moves its own by a fraction towards their weighted mean.
 */
@Named(
    value = "semantic-dfl",
    summary =
        "finds the peers with the most similar models, over an overlay or by gossiped views, pulls"
            + " and mixes their models")
public record SemanticDfl(
    @Setting(doc = "how many models are pulled and how they are mixed", fallback = "{}")
        PullSettings pull,
    @Setting(doc = "how similar peers are found", fallback = "overlay") PeerDiscovery discovery)
    implements PullMethod {}
