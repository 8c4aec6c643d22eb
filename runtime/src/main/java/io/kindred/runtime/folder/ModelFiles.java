package io.kindred.runtime.folder;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.storage.disk.Safetensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Saves the models of the last round: one file per peer, or one file where all peers share a model.
 */
public final class ModelFiles {
  private final Path folder;
  private final boolean enabled;
  private @Nullable Predictor lastShared;

  public ModelFiles(Path folder, boolean enabled) {
    this.folder = folder;
    this.enabled = enabled;
  }

  public void save(PeerId peer, Deployed deployed) {
    if (!enabled) {
      return;
    }
    @Nullable Weights weights =
        switch (deployed.predictor()) {
          case Predictor.Single single -> single.weights();
          // A peer adapts its model only when it is evaluated, so the weights before that are
          // saved.
          case Predictor.Adapted adapted -> adapted.adaptation().from();
          case Predictor.Ensemble _ -> null;
        };
    if (weights == null) {
      return;
    }
    if (deployed.audience() == Audience.SELF) {
      write("peer-" + peer.number(), weights);
    } else if (!deployed.predictor().equals(lastShared)) {
      lastShared = deployed.predictor();
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
