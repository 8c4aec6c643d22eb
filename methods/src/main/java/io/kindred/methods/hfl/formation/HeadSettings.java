package io.kindred.methods.hfl.formation;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Which client of a cluster is its head. */
public record HeadSettings(
    @Setting(
            doc =
                "how heads are chosen: `time` takes the client with which a round of its cluster is"
                    + " shortest; `fixed` takes the peers in the list `fixed`, such as edge"
                    + " servers, one for each cluster; `energy` takes the client that has spent the"
                    + " least energy among those with which a round is short enough",
            fallback = "time")
        Rule rule,
    @Setting(doc = "numbers of the peers that are heads with the rule `fixed`", fallback = "[]")
        List<Integer> fixed,
    @Setting(
            doc =
                "how many times as long as the shortest a round may take with a head that the rule"
                    + " `energy` chooses",
            fallback = "1.5",
            min = 1)
        double slack,
    @Setting(doc = "energy that clients spend", fallback = "{}") EnergySettings energy) {
  /** How heads are chosen. */
  public enum Rule {
    TIME,
    FIXED,
    ENERGY
  }

  /** The head with the shortest round, as in the paper. */
  public static final HeadSettings BY_TIME =
      new HeadSettings(Rule.TIME, List.of(), 1.5, new EnergySettings(1, 1, 1));

  public HeadSettings {
    fixed = List.copyOf(fixed);
  }

  /** Refuses fixed heads that these clusters cannot have. */
  void check(FormationSettings clusters, int clients) {
    if (rule != Rule.FIXED) {
      if (!fixed.isEmpty()) {
        throw new SettingException(
            "clusters.heads.fixed",
            "fixed heads are listed, but heads are chosen by the rule "
                + rule.name().toLowerCase(Locale.ROOT),
            "choose the rule fixed, or leave the list out");
      }
      return;
    }
    if (fixed.size() != clusters.count()) {
      throw new SettingException(
          "clusters.heads.fixed",
          fixed.size() + " fixed heads for " + clusters.count() + " clusters",
          "list one head for each cluster, or choose clusters.count: " + fixed.size());
    }
    if (new TreeSet<>(fixed).size() < fixed.size()
        || fixed.stream().anyMatch(head -> head < 0 || head >= clients)) {
      throw new SettingException(
          "clusters.heads.fixed",
          "fixed heads are different peers from 0 to " + (clients - 1) + ", but here are " + fixed,
          "list different numbers of peers");
    }
    if (!clusters.way().hasSizeBounds() || clusters.swap().start() == SwapSettings.Start.SPECTRAL) {
      throw new SettingException(
          "clusters.heads.rule",
          "spectral clusters do not begin at given heads",
          "choose another way of forming clusters, or another rule for heads");
    }
  }
}
