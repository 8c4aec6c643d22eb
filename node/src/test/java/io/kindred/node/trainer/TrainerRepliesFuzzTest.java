package io.kindred.node.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.Message;
import com.sun.management.ThreadMXBean;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.kindred.node.trainer.contract.TrainerGrpc;
import io.kindred.node.trainer.contract.TrainerMessages;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes the replies of a trainer in another language. */
class TrainerRepliesFuzzTest {
  private static final long MOST_ALLOCATED = 16L << 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final List<MethodDescriptor<?, ? extends Message>> METHODS =
      List.of(
          TrainerGrpc.getHelloMethod(),
          TrainerGrpc.getGetWeightsMethod(),
          TrainerGrpc.getTrainMethod(),
          TrainerGrpc.getEvaluateMethod());

  static Stream<byte[]> replies() {
    return Stream.of(
        TrainerMessages.TrainReply.newBuilder().setLoss(0.5).setSamples(100).build().toByteArray(),
        TrainerMessages.VectorPart.newBuilder()
            .setName("model")
            .setValues(TrainerRequests.bytes(new float[] {1, 2, 3}, 0, 3))
            .build()
            .toByteArray(),
        TrainerMessages.EvaluateReply.newBuilder()
            .setSamples(10)
            .setLoss(0.1)
            .setAccuracy(0.9)
            .addErrors(TrainerMessages.Figure.newBuilder().setName("mse").setValue(0.25))
            .build()
            .toByteArray());
  }

  @MethodSource("replies")
  @FuzzTest(maxDuration = "10m")
  void repliesAreReadOrRefused(byte[] bytes) {
    METHODS.forEach(method -> read(method, bytes));
    // The first read loads classes, so the second is measured.
    long before = THREADS.getCurrentThreadAllocatedBytes();
    METHODS.forEach(method -> read(method, bytes));
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_ALLOCATED);
  }

  private static <A extends Message> void read(MethodDescriptor<?, A> method, byte[] bytes) {
    try {
      A reply =
          TrainerReplies.requireContractTypes(
              "Fuzz", method.parseResponse(new ByteArrayInputStream(bytes)));
      if (reply instanceof TrainerMessages.VectorPart part) {
        TrainerReplies.copyValues("Fuzz", part, new float[8], 0);
      }
      assertThat(TrainerReplies.oneLine(reply)).doesNotContain("\n");
    } catch (StatusRuntimeException refused) {
      assertThat(TrainerReplies.malformedReason(refused.getStatus())).isNotBlank();
    } catch (TrainerFault refused) {
      assertThat(refused).message().isNotBlank().doesNotContain("\n");
    }
  }
}
