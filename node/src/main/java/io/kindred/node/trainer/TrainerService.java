package io.kindred.node.trainer;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The gRPC methods of {@code trainer.proto}. */
final class TrainerService {
  static final String NAME = "kindred.trainer.Trainer";

  /** Values of a vector in one part: 1 MiB, a quarter of what gRPC takes by default. */
  static final int PART_VALUES = 1 << 18;

  static final MethodDescriptor<TrainerMessages.HelloRequest, TrainerMessages.HelloReply> HELLO =
      call(
          "Hello",
          MethodType.UNARY,
          TrainerMessages.HelloRequest.class,
          TrainerMessages.HelloReply.class);

  static final MethodDescriptor<TrainerMessages.VectorPart, TrainerMessages.Done> SET_WEIGHTS =
      call(
          "SetWeights",
          MethodType.CLIENT_STREAMING,
          TrainerMessages.VectorPart.class,
          TrainerMessages.Done.class);

  static final MethodDescriptor<TrainerMessages.VectorName, TrainerMessages.VectorPart>
      GET_WEIGHTS =
          call(
              "GetWeights",
              MethodType.SERVER_STREAMING,
              TrainerMessages.VectorName.class,
              TrainerMessages.VectorPart.class);

  static final MethodDescriptor<TrainerMessages.TrainRequest, TrainerMessages.TrainReply> TRAIN =
      call(
          "Train",
          MethodType.UNARY,
          TrainerMessages.TrainRequest.class,
          TrainerMessages.TrainReply.class);

  static final MethodDescriptor<TrainerMessages.View, TrainerMessages.EvaluateReply> EVALUATE =
      call(
          "Evaluate",
          MethodType.UNARY,
          TrainerMessages.View.class,
          TrainerMessages.EvaluateReply.class);

  static final MethodDescriptor<TrainerMessages.View, TrainerMessages.VectorPart> LOSSES =
      call(
          "Losses",
          MethodType.SERVER_STREAMING,
          TrainerMessages.View.class,
          TrainerMessages.VectorPart.class);

  static final MethodDescriptor<TrainerMessages.View, TrainerMessages.VectorPart> OUTPUTS =
      call(
          "Outputs",
          MethodType.SERVER_STREAMING,
          TrainerMessages.View.class,
          TrainerMessages.VectorPart.class);

  static final List<MethodDescriptor<?, ?>> ALL =
      List.of(HELLO, SET_WEIGHTS, GET_WEIGHTS, TRAIN, EVALUATE, LOSSES, OUTPUTS);

  private TrainerService() {}

  private static <Q extends Record, A extends Record> MethodDescriptor<Q, A> call(
      String name, MethodType type, Class<Q> question, Class<A> answer) {
    return MethodDescriptor.<Q, A>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
        .setRequestMarshaller(new Marshaller<>(question))
        .setResponseMarshaller(new Marshaller<>(answer))
        .build();
  }

  /** Encodes and decodes messages of one type. */
  record Marshaller<T extends Record>(Class<T> type) implements MethodDescriptor.Marshaller<T> {
    @Override
    public InputStream stream(T message) {
      return new ByteArrayInputStream(Protobuf.encode(message));
    }

    @Override
    public T parse(InputStream stream) {
      try {
        return Protobuf.decode(type, stream.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
