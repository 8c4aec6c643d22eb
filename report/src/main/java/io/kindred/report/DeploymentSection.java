package io.kindred.report;

import io.kindred.report.run.Explanations;
import io.kindred.report.run.RunRecord;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Column.Best;
import io.kindred.report.table.Html;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** The part of the page that says what each peer deploys and why. */
record DeploymentSection(List<MethodRuns> methods) {
  private static final int MOST_OPEN_ROWS = 40;
  private static final int MOST_ROWS = 200;

  /** The section as HTML; empty if no method reports reasons. */
  String html() {
    StringBuilder out = new StringBuilder();
    for (MethodRuns method : methods) {
      Optional<Explanations> explanations = method.first().artifacts().explanations();
      explanations.ifPresent(each -> append(out, method, each));
    }
    return out.isEmpty()
        ? ""
        : "<section id=\"deployments\">\n<h2>What peers deploy and why</h2>\n"
            + out
            + "<p class=\"note\">A held-out loss is measured on samples that the peer kept out of its"
            + " training. Peers average their scores with those of the peers that they pull, so a"
            + " choice can differ from what a peer's own few samples favour.</p>\n</section>\n";
  }

  private static void append(StringBuilder out, MethodRuns method, Explanations explanations) {
    RunRecord run = method.first();
    int peers = explanations.peers().size();
    String seed = method.runs().size() > 1 ? ", seed " + run.seed() : "";
    out.append("<h3>").append(Html.escape(method.name() + seed)).append("</h3>\n");
    if (!explanations.choices().isEmpty()) {
      out.append("<p class=\"note\">").append(Html.escape(counts(explanations))).append("</p>\n");
    }
    out.append("<details").append(peers <= MOST_OPEN_ROWS ? " open" : "").append(">\n<summary>");
    out.append(peers > MOST_ROWS ? "The first " + MOST_ROWS + " of " + peers : "All " + peers);
    out.append(" peers</summary>\n<div class=\"wide\">\n")
        .append(table(run, explanations).html())
        .append("</div>\n</details>\n");
  }

  private static String counts(Explanations explanations) {
    return explanations.choices().entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .map(
                each ->
                    each.getValue()
                        + " of "
                        + explanations.peers().size()
                        + " deploy "
                        + model(each.getKey()))
            .collect(Collectors.joining(", "))
        + ".";
  }

  private static String model(String choice) {
    return switch (choice) {
      case "alone" -> "the model that they trained alone";
      case "ensemble" -> "the ensemble of their models";
      default -> "their " + choice + " model";
    };
  }

  private static Table table(RunRecord run, Explanations explanations) {
    boolean grouped = !explanations.groups().isEmpty();
    boolean chosen = !explanations.choices().isEmpty();
    List<Column> columns = new ArrayList<>();
    columns.add(Column.words("peer"));
    if (grouped) {
      columns.add(Column.words(explanations.groups().equals("label") ? "most samples" : "group"));
    }
    columns.add(Column.percent("accuracy %", Best.NONE));
    if (chosen) {
      columns.add(Column.words("deploys"));
    }
    columns.add(Column.words("why"));
    SequencedMap<String, Double> accuracies = run.lastByPeer();
    List<List<Cell>> rows = new ArrayList<>();
    for (Explanations.Peer peer : explanations.peers().stream().limit(MOST_ROWS).toList()) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.of(Long.toString(peer.number())));
      if (grouped) {
        row.add(Cell.of(explanations.groupName(peer.group()).replace(' ', '\u00a0')));
      }
      row.add(
          Cell.of(accuracies.getOrDefault(Long.toString(peer.number()), Double.NaN).doubleValue()));
      if (chosen) {
        row.add(Cell.of(peer.choice()));
      }
      row.add(Cell.of(peer.sentence()));
      rows.add(row);
    }
    return new Table("", columns, rows);
  }
}
