package io.kindred.node.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import io.kindred.core.weights.Floats;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes the replies of a trainer in another language. */
class ProtobufFuzzTest {
  private static final long MOST_ALLOCATED = 16L << 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static Stream<byte[]> replies() {
    return Stream.of(
        Protobuf.encode(new TrainerMessages.TrainReply(0.5, 100)),
        Protobuf.encode(new TrainerMessages.VectorPart("model", Floats.of(1, 2, 3))),
        Protobuf.encode(
            new TrainerMessages.EvaluateReply(
                10, 0.1, 0.9, List.of(new TrainerMessages.Figure("mse", 0.25)))));
  }

  @MethodSource("replies")
  @FuzzTest(maxDuration = "10m")
  void repliesAreReadOrRefused(byte[] bytes) {
    read(bytes);
    // The first read loads classes, so the second is measured.
    long before = THREADS.getCurrentThreadAllocatedBytes();
    read(bytes);
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
  }

  private static void read(byte[] bytes) {
    for (Class<? extends Record> type :
        List.of(
            TrainerMessages.HelloReply.class,
            TrainerMessages.VectorPart.class,
            TrainerMessages.TrainReply.class,
            TrainerMessages.EvaluateReply.class)) {
      try {
        assertThat(Protobuf.encode(Protobuf.decode(type, bytes))).isNotNull();
      } catch (Protobuf.MalformedException refused) {
        assertThat(refused.getMessage()).isNotBlank();
      }
    }
  }
}
