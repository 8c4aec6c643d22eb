package io.kindred.lab.run;

import io.kindred.core.Observation.Audience;
import io.kindred.core.Observation.Deployed;
import io.kindred.core.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Predictor;
import io.kindred.files.disk.Safetensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the models of the last round: one file a peer, or one for everybody where all have the
 * same.
 */
final class ModelFiles {
  private final Path folder;
  private final boolean wanted;
  private @Nullable Predictor common;

  ModelFiles(Path folder, boolean wanted) {
    this.folder = folder;
    this.wanted = wanted;
  }

  void keep(PeerId peer, Deployed deployed) {
    if (!wanted) {
      return;
    }
    @Nullable Weights weights =
        switch (deployed.predictor()) {
          case Predictor.Single single -> single.weights();
          // Each peer adapts for itself when it is evaluated; what can be kept is where it starts.
          case Predictor.Adapted adapted -> adapted.adaptation().from();
          case Predictor.Ensemble _ -> null;
        };
    if (weights == null) {
      return;
    }
    if (deployed.audience() == Audience.SELF) {
      write("peer-" + peer.number(), weights);
    } else if (!deployed.predictor().equals(common)) {
      common = deployed.predictor();
      write("global", weights);
    }
  }

  private void write(String name, Weights weights) {
    Path file = folder.resolve(name + ".safetensors");
    try {
      Files.createDirectories(folder);
      Safetensors.write(file, weights);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
