package io.kindred.runtime.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.Observation.Audience;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Model files are read here by the published format alone, not by our own code. */
class ModelFilesTest {
  private static final Layout LAYOUT =
      Layout.builder().add("layer/weight", 2, 3).add("layer/bias", 3).add("scale").build();

  @TempDir private Path home;

  private Path models() {
    return home.resolve("models");
  }

  private static Weights weights(float first) {
    float[] values = {
      first, -0f, Float.MIN_VALUE, Float.MAX_VALUE, 1 / 3f, -7, 8, 9, 10.5f, Float.NaN
    };
    return Weights.copyOf(LAYOUT, values);
  }

  private static Deployed deployed(Weights weights, Audience audience) {
    return new Deployed(3, Stage.MIXED, new Predictor.Single(weights), audience);
  }

  @Test
  void headerAndValuesAreWhatTheFormatSays() throws IOException {
    Weights weights = weights(1.25f);
    new ModelFiles(models(), true).save(new PeerId(7), deployed(weights, Audience.SELF));
    ByteBuffer file =
        ByteBuffer.wrap(Files.readAllBytes(models().resolve("peer-7.safetensors")))
            .order(ByteOrder.LITTLE_ENDIAN);
    long headerLength = file.getLong();
    byte[] text = new byte[Math.toIntExact(headerLength)];
    file.get(text);
    assertThat((8 + headerLength) % 8).isZero();
    JsonNode header = Json.tree(new String(text, StandardCharsets.UTF_8));
    assertThat(header.propertyNames())
        .containsExactlyInAnyOrder("__metadata__", "layer/weight", "layer/bias", "scale");
    check(header.get("layer/weight"), "[2,3]", "[0,24]");
    check(header.get("layer/bias"), "[3]", "[24,36]");
    check(header.get("scale"), "[]", "[36,40]");
    assertThat(file.remaining()).isEqualTo(40);
    for (int i = 0; i < weights.size(); i++) {
      assertThat(file.getInt()).isEqualTo(Float.floatToRawIntBits(weights.get(i)));
    }
  }

  private static void check(JsonNode tensor, String shape, String range) {
    assertThat(tensor.get("dtype").asString()).isEqualTo("F32");
    assertThat(tensor.get("shape").toString()).isEqualTo(shape);
    assertThat(tensor.get("data_offsets").toString()).isEqualTo(range);
  }

  @Test
  void aModelThatAllPeersDeployIsSavedOnce() throws IOException {
    ModelFiles files = new ModelFiles(models(), true);
    for (int peer = 0; peer < 3; peer++) {
      files.save(new PeerId(peer), deployed(weights(1), Audience.EVERYONE));
    }
    assertThat(names()).containsExactly("global.safetensors");
  }

  @Test
  void everyPeersOwnModelIsKept() throws IOException {
    ModelFiles files = new ModelFiles(models(), true);
    files.save(new PeerId(0), deployed(weights(1), Audience.SELF));
    files.save(new PeerId(1), deployed(weights(2), Audience.SELF));
    assertThat(names()).containsExactly("peer-0.safetensors", "peer-1.safetensors");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(models())) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }
}
