package io.kindred.node.task;

import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.own.OwnFinding;
import io.kindred.learning.data.own.OwnSamples;
import io.kindred.learning.data.own.OwnSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the data of one owner with a task.
 *
 * @param classes samples of each class, in the order of the task
 */
public record TaskCheck(
    String task,
    int version,
    int samples,
    Map<String, Integer> classes,
    List<OwnFinding> findings) {
  public TaskCheck {
    classes = new LinkedHashMap<>(classes);
    findings = List.copyOf(findings);
  }

  /** Reads all data; nothing is written. */
  public static TaskCheck of(NetworkTask task, OwnSource data, DataFiles files) {
    OwnSamples samples = data.read(task.inputs(), task.classes(), true, files);
    int[] counts = samples.classCounts(task.classes().size());
    Map<String, Integer> classes = new LinkedHashMap<>();
    List<String> absent = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      classes.put(task.classes().get(i), counts[i]);
      if (counts[i] == 0) {
        absent.add(task.classes().get(i));
      }
    }
    List<OwnFinding> findings = new ArrayList<>(samples.findings());
    if (!absent.isEmpty() && samples.obstacle().isEmpty()) {
      findings.add(
          new OwnFinding(
              OwnFinding.Level.WARN,
              "there is no sample of " + String.join(", ", absent),
              "the node's own model will know these classes only from others"));
    }
    return new TaskCheck(task.name(), task.version(), samples.labels().size(), classes, findings);
  }

  /** Whether a node can take part with these data. */
  public boolean usable() {
    return findings.stream().noneMatch(each -> each.level() == OwnFinding.Level.FIX);
  }
}
