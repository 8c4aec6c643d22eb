package io.kindred.report;

import io.kindred.report.plot.SortedBars.Bar;
import io.kindred.report.plot.SortedBars.Panel;
import io.kindred.report.run.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** Each peer's gain or loss against local training with the same data and the same seed. */
final class Gains {
  private Gains() {}

  /** One panel for each method that has a local run with the same task and seed to compare with. */
  static List<Panel> againstLocal(List<MethodRuns> methods) {
    List<Panel> panels = new ArrayList<>();
    for (MethodRuns method : methods) {
      if (!method.isLocal()) {
        Panel panel = panel(method, methods);
        if (!panel.bars().isEmpty()) {
          panels.add(panel);
        }
      }
    }
    return panels;
  }

  static Panel panel(MethodRuns method, List<MethodRuns> methods) {
    List<Bar> bars = new ArrayList<>();
    for (RunRecord run : method.runs()) {
      localCounterpart(run, method, methods).ifPresent(local -> add(bars, run, local));
    }
    return new Panel(method.name(), bars);
  }

  private static Optional<RunRecord> localCounterpart(
      RunRecord run, MethodRuns method, List<MethodRuns> methods) {
    return methods.stream()
        .filter(other -> other.isLocal() && other.task().equals(method.task()))
        .flatMap(other -> other.runs().stream())
        .filter(local -> local.seed().equals(run.seed()))
        .findFirst();
  }

  private static void add(List<Bar> bars, RunRecord run, RunRecord local) {
    SequencedMap<String, Double> alone = local.lastByPeer();
    String suffix = run.seed().isEmpty() ? "" : ", seed " + run.seed();
    for (Map.Entry<String, Double> peer : run.lastByPeer().entrySet()) {
      Double reference = alone.get(peer.getKey());
      if (reference != null) {
        bars.add(new Bar("peer " + peer.getKey() + suffix, peer.getValue() - reference));
      }
    }
  }
}
