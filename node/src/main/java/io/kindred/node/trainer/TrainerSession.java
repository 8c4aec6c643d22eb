package io.kindred.node.trainer;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.kindred.node.trainer.contract.TrainerGrpc;
import io.kindred.node.trainer.contract.TrainerMessages;
import io.kindred.storage.OperatorException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/**
 * Calls to a trainer that belong together and share one deadline. Every failure is a {@link
 * TrainerFault}, unless the trainer refuses the call as one that it cannot do: a restart would not
 * change that.
 */
final class TrainerSession {
  /** The vector that is trained and evaluated. */
  static final String MODEL_VECTOR = "model";

  /** The velocity that training starts from, and the one that it ends with. */
  static final String VELOCITY_VECTOR = "velocity";

  /** Values of a vector in one part: 1 MiB, a quarter of what gRPC takes by default. */
  static final int PART_VALUES = 1 << 18;

  private final Channel channel;
  private final CallOptions options;
  private final double timeoutSeconds;

  private TrainerSession(Channel channel, CallOptions options, double timeoutSeconds) {
    this.channel = channel;
    this.timeoutSeconds = timeoutSeconds;
    this.options =
        options.withDeadline(Deadline.after((long) (timeoutSeconds * 1e9), TimeUnit.NANOSECONDS));
  }

  /** A session for one piece of work; its calls fail at once where the connection is broken. */
  static TrainerSession forWork(Channel channel, double seconds) {
    return new TrainerSession(channel, CallOptions.DEFAULT, seconds);
  }

  /** The first call to an instance, which may not listen yet. */
  static TrainerMessages.HelloReply hello(
      Channel channel, TrainerMessages.HelloRequest request, double seconds) {
    return new TrainerSession(channel, CallOptions.DEFAULT.withWaitForReady(), seconds)
        .call(TrainerGrpc.getHelloMethod(), request);
  }

  TrainerMessages.TrainReply train(TrainerMessages.TrainRequest request) {
    return call(TrainerGrpc.getTrainMethod(), request);
  }

  TrainerMessages.EvaluateReply evaluate(TrainerMessages.View view) {
    return call(TrainerGrpc.getEvaluateMethod(), view);
  }

  float[] losses(TrainerMessages.View view, int count) {
    return readVector(TrainerGrpc.getLossesMethod(), view, count);
  }

  float[] outputs(TrainerMessages.View view, int count) {
    return readVector(TrainerGrpc.getOutputsMethod(), view, count);
  }

  float[] getWeights(String name, int count) {
    return readVector(
        TrainerGrpc.getGetWeightsMethod(),
        TrainerMessages.VectorName.newBuilder().setName(name).build(),
        count);
  }

  void setWeights(String name, float[] values) {
    BlockingClientCall<TrainerMessages.VectorPart, TrainerMessages.Done> call =
        ClientCalls.blockingClientStreamingCall(
            channel, TrainerGrpc.getSetWeightsMethod(), options);
    try {
      int from = 0;
      boolean listens = true;
      do {
        int to = Math.min(values.length, from + PART_VALUES);
        listens =
            call.write(
                TrainerMessages.VectorPart.newBuilder()
                    .setName(from == 0 ? name : "")
                    .setValues(TrainerRequests.bytes(values, from, to))
                    .build());
        from = to;
      } while (listens && from < values.length);
      call.halfClose();
      if (call.read() == null) {
        throw new TrainerFault("it ended SetWeights without an answer");
      }
    } catch (StatusException e) {
      throw fault("SetWeights", e.getStatus());
    } catch (InterruptedException e) {
      call.cancel("the node stops", e);
      Thread.currentThread().interrupt();
      throw new TrainerFault("the node stops");
    }
  }

  private <Q, A extends Message> A call(MethodDescriptor<Q, A> method, Q request) {
    try {
      return TrainerReplies.requireContractTypes(
          methodName(method), ClientCalls.blockingUnaryCall(channel, method, options, request));
    } catch (StatusRuntimeException e) {
      throw fault(methodName(method), e.getStatus());
    }
  }

  private <Q> float[] readVector(
      MethodDescriptor<Q, TrainerMessages.VectorPart> method, Q request, int count) {
    float[] values = new float[count];
    int at = 0;
    try {
      Iterator<TrainerMessages.VectorPart> parts =
          ClientCalls.blockingServerStreamingCall(channel, method, options, request);
      while (parts.hasNext()) {
        TrainerMessages.VectorPart part =
            TrainerReplies.requireContractTypes(methodName(method), parts.next());
        at = TrainerReplies.copyValues(methodName(method), part, values, at);
      }
    } catch (StatusRuntimeException e) {
      throw fault(methodName(method), e.getStatus());
    }
    if (at != count) {
      throw new TrainerFault(
          "%s gave %d values instead of %d".formatted(methodName(method), at, count));
    }
    for (float value : values) {
      if (!Float.isFinite(value)) {
        throw new TrainerFault(
            "%s gave values that are not finite; if that happens again, lower the learning rate"
                .formatted(methodName(method)));
      }
    }
    return values;
  }

  private static String methodName(MethodDescriptor<?, ?> method) {
    return String.valueOf(method.getBareMethodName());
  }

  private RuntimeException fault(String call, Status status) {
    String malformed = TrainerReplies.malformedReason(status);
    if (malformed != null) {
      return new TrainerFault(
          "%s answered with bytes that are no message of trainer.proto: %s"
              .formatted(call, malformed));
    }
    String description = status.getDescription() == null ? "" : ": " + status.getDescription();
    return switch (status.getCode()) {
      case FAILED_PRECONDITION, INVALID_ARGUMENT, UNIMPLEMENTED ->
          new OperatorException(
              OperatorException.FAILED, "the trainer refuses %s%s".formatted(call, description));
      case DEADLINE_EXCEEDED ->
          new TrainerFault("it gave no answer to %s within %s s".formatted(call, timeoutSeconds));
      default -> new TrainerFault("%s failed, %s%s".formatted(call, status.getCode(), description));
    };
  }
}
