package io.kindred.runtime.adversary;

import io.kindred.core.config.Catalogue;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.json.Json;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.IntStream;

/** adversaries.json: which peers of a run are hostile, and what they do. */
public record WhoIsWho(String behaviour, List<Integer> hostile, List<Integer> honest) {
  /** Writes the file, unless all peers are honest. */
  public static void write(Experiment experiment, RunFolder folder) {
    SortedSet<Integer> hostile = experiment.hostilePeers();
    if (hostile.isEmpty()) {
      return;
    }
    RunFolder.writeText(
        folder.adversaries(),
        Json.document(
            new WhoIsWho(
                Catalogue.nameOf(experiment.adversaries().behaviour().getClass()),
                List.copyOf(hostile),
                IntStream.range(0, experiment.peers())
                    .boxed()
                    .filter(peer -> !hostile.contains(peer))
                    .toList())));
  }
}
