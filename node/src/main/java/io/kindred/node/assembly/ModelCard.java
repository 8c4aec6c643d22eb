package io.kindred.node.assembly;

import io.kindred.core.config.Catalogue;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.PeerId;
import io.kindred.learning.partition.Holdout;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.NodeStatus;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.runtime.metrics.MetricsFile;
import java.util.Locale;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** A page beside a node's model file that describes the model. */
final class ModelCard {
  private ModelCard() {}

  static String of(
      Experiment experiment,
      PeerFactory factory,
      PeerId peer,
      RunFolder folder,
      Deployed deployed,
      SortedMap<Long, NodeStatus.PeerTraffic> peerTraffic) {
    Holdout.PeerSplit split = factory.datasets().splits().get((int) peer.number());
    return String.format(
        Locale.ROOT,
        """
        # Model of peer %d

        | | |
        |---|---|
        | weights | `peer-%d.safetensors`, %d numbers |
        | model | `%s` |
        | method | `%s` |
        | data | `%s`, partition `%s`, %d samples to train with, %d to test with |
        | rounds | %d of %d, seed %d |
        | accuracy | %s |
        | models came from | %s |

        The whole configuration is in `../config.yaml`, every round in `../metrics.jsonl`.
        """,
        peer.number(),
        peer.number(),
        factory.architecture().layout().size(),
        Catalogue.nameOf(experiment.model().getClass()),
        Catalogue.nameOf(experiment.method().getClass()),
        Catalogue.nameOf(experiment.dataset().getClass()),
        Catalogue.nameOf(experiment.partition().getClass()),
        split.train().size(),
        split.test().size(),
        deployed.round(),
        experiment.rounds(),
        experiment.seed(),
        accuracy(folder, deployed),
        peers(peerTraffic));
  }

  /** The measured accuracy of the model; a peer that is not evaluated has none. */
  private static String accuracy(RunFolder folder, Deployed deployed) {
    AtomicReference<String> last = new AtomicReference<>("not measured");
    String stage = deployed.stage().name().toLowerCase(Locale.ROOT);
    MetricsFile.read(
        folder.metrics(),
        line -> {
          if (line.round() == deployed.round() && line.stage().equals(stage)) {
            String own =
                line.accuracy() == null
                    ? "not measured"
                    : "%s on its own %d test samples".formatted(line.accuracy(), line.samples());
            String common =
                line.globalAccuracy() == null
                    ? ""
                    : ", %s on the common ones".formatted(line.globalAccuracy());
            last.set(own + common);
          }
        });
    return last.get();
  }

  private static String peers(SortedMap<Long, NodeStatus.PeerTraffic> peerTraffic) {
    String all =
        peerTraffic.entrySet().stream()
            .filter(each -> each.getValue().models() > 0)
            .map(each -> "peer %d (%d)".formatted(each.getKey(), each.getValue().models()))
            .collect(Collectors.joining(", "));
    return all.isEmpty() ? "no other peer" : all;
  }
}
