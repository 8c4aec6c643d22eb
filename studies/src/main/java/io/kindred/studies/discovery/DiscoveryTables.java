package io.kindred.studies.discovery;

import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import io.kindred.studies.discovery.DiscoveryResult.ComparisonResult;
import io.kindred.studies.discovery.DiscoveryResult.OverlaySearch;
import io.kindred.studies.discovery.DiscoveryResult.RoundResult;
import io.kindred.studies.discovery.DiscoveryResult.UnguidedSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The measurements of a discovery study as tables for a terminal. */
public record DiscoveryTables(DiscoveryResult result) {
  /** All tables, none wider than the given number of columns. */
  public String text(int columns) {
    DiscoveryStudy study = result.settings();
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "%d peers, %d rounds; views of %d similar and %d other peers\n",
            study.peers(),
            study.rounds(),
            study.views().size(),
            study.views().reserve()));
    out.append('\n').append(rounds().text(columns)).append('\n');
    out.append(network().text(columns)).append('\n');
    if (study.liars().share() > 0) {
      out.append(liars().text(columns));
      result
          .accusations()
          .ifPresent(
              each ->
                  out.append(
                      String.format(
                          Locale.ROOT,
                          "accusations of false claims: %,d of honest peers, %,d of lying peers\n",
                          each.ofHonestPeers(),
                          each.ofLyingPeers())));
      out.append('\n');
    }
    result.comparison().ifPresent(each -> appendComparison(out, each, columns));
    result
        .strangers()
        .ifPresent(
            each ->
                out.append(
                    String.format(
                        Locale.ROOT,
                        "strangers  recall %.3f of %d searches; %.1f peers asked, %.1f kB a search\n",
                        each.recall(),
                        each.searches(),
                        each.asked(),
                        each.kilobytes())));
    out.append(
        String.format(
            Locale.ROOT,
            "state      %,.0f bytes a peer, %,.0f of sketches; %.0f models, %.0f contacts\n",
            result.state().bytes(),
            result.state().sketchBytes(),
            result.state().entries(),
            result.state().contacts()));
    out.append(
        String.format(
            Locale.ROOT,
            "wall       %.1f s for the rounds; heap %.1f kB a peer\n",
            result.resources().seconds(),
            result.resources().heapBytesPerPeer() / 1e3));
    return out.toString();
  }

  private static Column whole(String header) {
    return Column.numbers(header, 0, Column.Best.NONE);
  }

  private static Column decimals(String header, int digits) {
    return Column.numbers(header, digits, Column.Best.NONE);
  }

  /** What views find, and what it costs. */
  private Table rounds() {
    List<List<Cell>> rows = new ArrayList<>();
    for (RoundResult each : result.rounds()) {
      rows.add(
          List.of(
              Cell.of(each.round()),
              Cell.of(each.live()),
              Cell.of(each.recall()),
              Cell.of(each.coverage()),
              Cell.of(each.down()),
              Cell.of(each.messages()),
              Cell.of(each.kilobytes()),
              Cell.of(each.totalKilobytes())));
    }
    return new Table(
        "views",
        List.of(
            whole("round"),
            whole("up"),
            decimals("recall", 3),
            decimals("coverage", 3),
            Column.percent("down %", Column.Best.NONE),
            decimals("messages", 1),
            decimals("kB", 1),
            decimals("kB in all", 1)),
        rows,
        "",
        List.of(
            "recall: share of the nearest peers that a view names; coverage: that it has;"
                + " down: named peers that are down; messages, kB: sent by a peer in a round"));
  }

  /** How evenly peers are known. */
  private Table network() {
    List<List<Cell>> rows = new ArrayList<>();
    for (RoundResult each : result.rounds()) {
      rows.add(
          List.of(
              Cell.of(each.round()),
              Cell.of(each.pulled().mean()),
              Cell.of(each.pulled().p99()),
              Cell.of(each.pulled().most()),
              Cell.of(each.contacts().mean()),
              Cell.of(each.contacts().deviation()),
              Cell.of(each.contacts().p99()),
              Cell.of(each.contacts().most()),
              Cell.of(each.isolated()),
              Cell.of(each.connected())));
    }
    return new Table(
        "network",
        List.of(
            whole("round"),
            decimals("pulled", 1),
            whole("p99"),
            whole("most"),
            decimals("contact", 1),
            decimals("sd", 1),
            whole("p99"),
            whole("most"),
            whole("isolated"),
            decimals("connected", 3)),
        rows,
        "",
        List.of(
            "pulled, contact: lists that name a peer, mean over peers, then 99 % quantile and"
                + " maximum; connected: share of the peers in the largest part"));
  }

  /** What lying peers achieve with and without checks. */
  private Table liars() {
    List<List<Cell>> rows = new ArrayList<>();
    for (int i = 0; i < result.rounds().size(); i++) {
      RoundResult on = result.rounds().get(i);
      RoundResult off = result.withoutChecks().get(i);
      rows.add(
          List.of(
              Cell.of(on.round()),
              Cell.of(on.liars().orElseThrow().pulls()),
              Cell.of(off.liars().orElseThrow().pulls()),
              Cell.of(on.liars().orElseThrow().mostPulled()),
              Cell.of(off.liars().orElseThrow().mostPulled()),
              Cell.of(on.recall()),
              Cell.of(off.recall())));
    }
    return new Table(
        "liars",
        List.of(
            whole("round"),
            percent("to liars %"),
            percent("unchecked"),
            percent("one liar %"),
            percent("unchecked"),
            decimals("recall", 3),
            decimals("unchecked", 3)),
        rows,
        "",
        List.of(
            "to liars: share of the honest peers' pulls; one liar: share of the honest peers that"
                + " pull the most pulled lying peer; unchecked: the same without checks"));
  }

  private static Column percent(String header) {
    return Column.percent(header, Column.Best.NONE);
  }

  private static void appendComparison(StringBuilder out, ComparisonResult each, int columns) {
    List<List<Cell>> searches = new ArrayList<>();
    for (OverlaySearch search : each.overlay()) {
      searches.add(
          List.of(
              Cell.of("overlay, beam " + search.beam() + " per " + search.reading()),
              Cell.of(search.recall()),
              Cell.of(search.recallSignatures()),
              Cell.of(search.messages()),
              Cell.of(search.kilobytes()),
              Cell.of(each.buildKilobytes() + search.kilobytes())));
    }
    out.append(
            new Table(
                    "overlay",
                    List.of(
                        Column.words("search"),
                        decimals("recall", 3),
                        decimals("own", 3),
                        decimals("messages", 1),
                        decimals("kB a query", 1),
                        decimals("with building", 1)),
                    searches,
                    "",
                    List.of("own: recall of the peers with the nearest signatures"))
                .text(columns))
        .append('\n');
    List<List<Cell>> unguided = new ArrayList<>();
    for (UnguidedSearch search : each.unguided()) {
      unguided.add(
          List.of(
              Cell.of(search.kilobytes()),
              Cell.of(search.messages()),
              Cell.of(search.flooding()),
              Cell.of(search.probing())));
    }
    out.append(
            new Table(
                    "unguided",
                    List.of(
                        decimals("kB a query", 1),
                        whole("messages"),
                        decimals("flooding", 3),
                        decimals("probing", 3)),
                    unguided,
                    "",
                    List.of(
                        "recall without structure for the kB of the views and of the overlay;"
                            + " each message carries a sketch, "
                            + each.queryBytes()
                            + " bytes"))
                .text(columns))
        .append('\n');
  }
}
