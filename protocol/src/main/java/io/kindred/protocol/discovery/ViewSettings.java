package io.kindred.protocol.discovery;

import io.kindred.core.config.Setting;
import io.kindred.core.record.Buildable;

/** How a peer keeps its view of similar peers; all peers of a network share these settings. */
@Buildable
public record ViewSettings(
    @Setting(doc = "most similar peers in a view, M", fallback = "40", min = 1, max = 1024)
        int size,
    @Setting(
            doc =
                "further peers whose sketches are kept at random; a peer answers from these as"
                    + " well, so they make the views navigable",
            fallback = "60",
            min = 0,
            max = 4096)
        int reserve,
    @Setting(
            doc = "largest number of sketches in a message; a bound on what one partner can change",
            fallback = "10",
            min = 1,
            max = 256)
        int models,
    @Setting(doc = "random contacts of a peer", fallback = "20", min = 2, max = 256) int contacts,
    @Setting(
            doc = "contacts that two peers swap in a round, the shuffle length of Cyclon",
            fallback = "8",
            min = 1,
            max = 256)
        int shuffle,
    @Setting(
            doc = "rounds after which a model that its owner did not confirm is forgotten, T",
            fallback = "10",
            min = 1,
            max = 10000)
        int expiry,
    @Setting(
            doc =
                "largest share of the pulled models that comes from owners of which no sketch has"
                    + " been checked yet; 1 is no limit",
            fallback = "0.5",
            above = 0,
            max = 1)
        double unchecked,
    @Setting(
            doc =
                "least cosine of an advertised sketch and the sketch of the pulled model; a lower"
                    + " one counts as a false claim",
            fallback = "0.8",
            min = -1,
            max = 1)
        double agreement,
    @Setting(
            doc =
                "whether advertised sketches are checked: against pulled models, and against what"
                    + " partners were told",
            fallback = "true")
        boolean checks,
    @Setting(doc = "largest number of peers that one search asks", fallback = "40", min = 1)
        int searchBudget,
    @Setting(doc = "peers that one search asks at a time", fallback = "3", min = 1, max = 64)
        int searchParallelism,
    @Setting(
            doc = "seconds after which a search stops waiting for a peer",
            fallback = "2",
            above = 0)
        double searchTimeout,
    @Setting(doc = "how a model is sketched", fallback = "{}") SketchRule sketch) {
  /** The largest number of sketches that a peer keeps. */
  int capacity() {
    return size + reserve;
  }

  /** How many of the pulled models may come from unchecked owners; at least one. */
  int uncheckedLimit(int wanted) {
    return Math.max(1, (int) Math.ceil(unchecked * wanted));
  }
}
