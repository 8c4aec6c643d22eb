package io.kindred.studies.discovery;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.discovery.ViewSettings;
import io.kindred.studies.overlay.OverlayStudy.SyntheticSignatureSettings;
import java.util.List;

/** Settings of a network of gossiped views, of what happens to it, and of its measurement. */
@Buildable
public record DiscoveryStudy(
    @Setting(doc = "number of peers", fallback = "200", min = 2, max = 1e6) int peers,
    @Setting(doc = "seed of all random draws", fallback = "1", min = 0) long seed,
    @Setting(
            doc = "rounds; in each, every peer that is up begins two exchanges",
            fallback = "40",
            min = 1,
            max = 1e6)
        int rounds,
    @Setting(
            doc =
                "waves of a round: peers begin one wave after another, because rounds of real peers"
                    + " do not begin at once; 1 lets all exchanges of a round overlap",
            fallback = "8",
            min = 1,
            max = 1000)
        int waves,
    @Setting(
            doc = "similar peers that a peer asks its view for in a round, K",
            fallback = "20",
            min = 1,
            max = 1024)
        int wanted,
    @Setting(
            doc = "peers for which the exact answer is computed, spread evenly over all peers",
            fallback = "500",
            min = 1)
        int sampled,
    @Setting(
            doc = "random peers that each peer is told of at its start",
            fallback = "8",
            min = 1,
            max = 1024)
        int introductions,
    @Setting(
            doc =
                "whether peers pull the models that their view names, and compare them with what"
                    + " was advertised; without pulls nothing is checked, so set views.checks=false"
                    + " as well",
            fallback = "true")
        boolean pulls,
    @Setting(
            doc =
                "whether every model has a new version in each round, as in training; its vector"
                    + " stays, so this shows what sending new sketches costs",
            fallback = "false")
        boolean moving,
    @Setting(
            doc =
                "share of the peers that are up that goes down in each round; as many others"
                    + " return, with the state that they had",
            fallback = "0",
            min = 0,
            max = 0.9)
        double churn,
    @Setting(
            doc = "share of the messages that are lost without notice",
            fallback = "0",
            min = 0,
            max = 0.9)
        double loss,
    @Setting(doc = "peers that change to another cluster", fallback = "{}") DriftSettings drift,
    @Setting(doc = "a division of the network into two halves", fallback = "{}")
        SplitSettings split,
    @Setting(doc = "peers that advertise false sketches", fallback = "{}") LiarSettings liars,
    @Setting(
            doc = "searches for targets that are no peer's model, after the last round",
            fallback = "50",
            min = 0)
        int searches,
    @Setting(doc = "drawn vectors, used if no models are given", fallback = "{}")
        SyntheticSignatureSettings drawn,
    @Setting(doc = "how peers keep their views", fallback = "{}") ViewSettings views,
    @Setting(doc = "what --compare measures beside the views", fallback = "{}")
        ComparisonSettings compare) {
  /** Peers that change their model at once. */
  public record DriftSettings(
      @Setting(doc = "share of the peers that changes", fallback = "0.3", min = 0, max = 1)
          double share,
      @Setting(doc = "round in which the peers change; 0 means never", fallback = "0", min = 0)
          int at) {}

  /** Two halves of the network that cannot reach each other for a while. */
  public record SplitSettings(
      @Setting(
              doc = "first round in which messages between the halves fail; 0 means never",
              fallback = "0",
              min = 0)
          int from,
      @Setting(
              doc = "last round in which messages between the halves fail",
              fallback = "0",
              min = 0)
          int to) {
    boolean covers(int round) {
      return from > 0 && from <= round && round <= to;
    }
  }

  /** Peers that lie. */
  public record LiarSettings(
      @Setting(doc = "share of the peers that lies", fallback = "0", min = 0, max = 0.9)
          double share,
      @Setting(
              doc =
                  "`claim`: a lying peer sends each partner the partner's own sketch as the sketch"
                      + " of its model; `collude`: in addition it recommends other lying peers with"
                      + " the partner's sketch",
              fallback = "claim")
          Kind kind) {
    /** What a lying peer sends. */
    public enum Kind {
      CLAIM,
      COLLUDE
    }
  }

  /** The overlay that a comparison builds. */
  public record ComparisonSettings(
      @Setting(
              doc = "beams of the overlay's search, each tried per level and per super-peer",
              fallback = "[1, 8, 64]")
          List<Integer> beams,
      @Setting(
              doc = "largest number of peers in a zone of the overlay",
              fallback = "20",
              min = 2,
              max = 4096)
          int zoneSize,
      @Setting(
              doc =
                  "entries of the overlay's signatures; 0 means as many as take the bytes of a"
                      + " sketch, or for models of a run as many as the overlay itself would choose",
              fallback = "0",
              min = 0)
          int entries,
      @Setting(
              doc = "largest network for which --compare builds an overlay",
              fallback = "1000",
              min = 2,
              max = 10000)
          int largest) {
    /** Bytes of an entry on the wire: skipped positions, and a value of 16 bits. */
    private static final int ENTRY_BYTES = 3;

    public ComparisonSettings {
      beams = List.copyOf(beams);
    }

    int entries(int sketchBytes) {
      return entries > 0 ? entries : Math.max(1, sketchBytes / ENTRY_BYTES);
    }
  }

  public DiscoveryStudy {
    if (wanted >= peers) {
      throw new SettingException(
          "wanted",
          wanted + " similar peers of " + (peers - 1) + " others",
          "ask for fewer with --k, or for more peers with --peers");
    }
    if (split.from() > split.to() || (split.to() > 0 && split.from() == 0)) {
      throw new SettingException(
          "split",
          "a split from round " + split.from() + " to round " + split.to(),
          "write split.from and split.to, the earlier round first, such as"
              + " --set split.from=11 --set split.to=15");
    }
    if (drift.at() > rounds || split.from() > rounds) {
      throw new SettingException(
          drift.at() > rounds ? "drift.at" : "split.from",
          "a round after the last of " + rounds,
          "name an earlier round or raise rounds");
    }
    if (liars.share() > 0 && !pulls) {
      throw new SettingException(
          "pulls", "lies show only when models are pulled", "set pulls=true or liars.share=0");
    }
    if (views.checks() && !pulls) {
      throw new SettingException(
          "pulls",
          "without pulls no sketch is ever checked, and views.checks limits unchecked peers",
          "add --set views.checks=false");
    }
  }
}
