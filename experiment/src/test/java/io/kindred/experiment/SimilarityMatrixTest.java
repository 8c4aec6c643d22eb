package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.SmallExperiment;
import io.kindred.storage.disk.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimilarityMatrixTest {
  private static final Layout LAYOUT = Layout.builder().add("w", 2).build();
  private static final Weights START = Weights.copyOf(LAYOUT, new float[] {1, 1});

  @TempDir private Path home;

  private void model(int peer, float first, float second) throws IOException {
    Safetensors.write(
        home.resolve("peer-" + peer + ".safetensors"),
        Weights.copyOf(LAYOUT, new float[] {first, second}));
  }

  private SimilarityMatrix similarityMatrix(int peers) throws IOException {
    return SimilarityMatrix.of(home, LAYOUT, START, peers).orElseThrow();
  }

  /** Changes (1, 0), (0, 2), (3, 4) and none, with cosines computed by hand. */
  @Test
  void whatIsComparedAreChangesSinceTheStart() throws IOException {
    model(0, 2, 1);
    model(1, 1, 3);
    model(2, 4, 5);
    model(3, 1, 1);
    SortedMap<Long, Integer> found = new TreeMap<>();
    for (long peer = 0; peer < 4; peer++) {
      found.put(peer, (int) peer % 2);
    }
    assertThat(
            similarityMatrix(4)
                .csv(PeerAssembler.peerDatasets(SmallExperiment.with(), DataFiles.NONE), found)
                .lines())
        .containsExactly(
            "peer,found,0,1,2,3",
            "0,0,1.0000,0.0000,0.6000,0.0000",
            "1,1,0.0000,1.0000,0.8000,0.0000",
            "2,0,0.6000,0.8000,1.0000,0.0000",
            "3,1,0.0000,0.0000,0.0000,1.0000");
  }

  @Test
  void plantedClustersCountBeforeAllOthers() throws IOException {
    for (int peer = 0; peer < 4; peer++) {
      model(peer, peer < 2 ? 2 : 0, peer);
    }
    var planted =
        PeerAssembler.peerDatasets(
            SmallExperiment.with("partition=rotation-clusters"), DataFiles.NONE);
    assertThat(similarityMatrix(4).csv(planted, new TreeMap<>()))
        .startsWith("peer,planted,0,1,2,3\n");
    var plain = PeerAssembler.peerDatasets(SmallExperiment.with(), DataFiles.NONE);
    assertThat(similarityMatrix(4).csv(plain, new TreeMap<>())).startsWith("peer,alike,0,1,2,3\n");
  }

  @Test
  void aModelForAllLeavesNothingToCompare() throws IOException {
    Files.writeString(home.resolve("global.safetensors"), "");
    assertThat(SimilarityMatrix.of(home, LAYOUT, START, 4)).isEmpty();
  }
}
