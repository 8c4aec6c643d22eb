package io.kindred.node.trainer;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Channel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.kindred.core.weights.Ints;
import io.kindred.node.trainer.contract.TrainerGrpc;
import io.kindred.node.trainer.contract.TrainerMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A trainer in this process that adds one to every weight and doubles a velocity; its first
 * instances may misbehave.
 */
final class FakeTrainer implements TrainerInstance.Source {
  /** How an instance answers a training request. */
  enum Behaviour {
    GOOD,
    DIES,
    HANGS,
    NOT_A_NUMBER,
    SHORT,
    LONG,
    ODD_LOSS,
    MISTYPED,
    UNEVEN,
    OVERSIZED,
    BREAKS,
    REFUSES
  }

  final List<TrainerMessages.TrainRequest> trained =
      Collections.synchronizedList(new ArrayList<>());
  final SortedMap<String, float[]> vectors = Collections.synchronizedSortedMap(new TreeMap<>());
  volatile List<String> offers = List.of("train", "evaluate");
  volatile Ints counts = Ints.of(0, 0, 0, 0);
  volatile Ints labelCounts = Ints.of();
  final AtomicInteger starts = new AtomicInteger();
  final AtomicInteger open = new AtomicInteger();
  volatile TrainerMessages.@Nullable HelloRequest helloRequest;
  private final List<Behaviour> behaviours;

  /** One behaviour for each instance; the last holds for all that follow. */
  FakeTrainer(Behaviour... behaviours) {
    this.behaviours = List.of(behaviours);
  }

  @Override
  public TrainerInstance start() {
    Behaviour behaviour = behaviours.get(Math.min(starts.getAndIncrement(), behaviours.size() - 1));
    open.incrementAndGet();
    FakeInstance fakeInstance = new FakeInstance(behaviour);
    fakeInstance.start();
    return fakeInstance;
  }

  @Override
  public void close() {}

  private final class FakeInstance implements TrainerInstance {
    private final Behaviour behaviour;
    private final Server server;
    private final AtomicBoolean ended = new AtomicBoolean();
    private TrainerAddress.@Nullable TrainerConnection connection;

    FakeInstance(Behaviour behaviour) {
      this.behaviour = behaviour;
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .addService(new FakeService())
              .build();
    }

    void start() {
      try {
        server.start();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      connection = TrainerAddress.parse("127.0.0.1:" + server.getPort()).open();
    }

    @Override
    public Channel channel() {
      TrainerAddress.TrainerConnection opened = connection;
      if (opened == null) {
        throw new IllegalStateException("not started");
      }
      return opened.channel();
    }

    @Override
    public Optional<String> exitReason() {
      return Optional.empty();
    }

    @Override
    public void close() {
      if (ended.compareAndSet(false, true)) {
        open.decrementAndGet();
      }
      TrainerAddress.TrainerConnection opened = connection;
      if (opened != null) {
        opened.close();
      }
      server.shutdownNow();
    }

    private final class FakeService extends TrainerGrpc.TrainerImplBase {
      @Override
      public void hello(
          TrainerMessages.HelloRequest request,
          StreamObserver<TrainerMessages.HelloReply> responses) {
        helloRequest = request;
        TrainerMessages.HelloReply.Builder reply =
            TrainerMessages.HelloReply.newBuilder()
                .setVersion(1)
                .setName("fake")
                .addAllOffers(offers)
                .setTrainSamples(counts.get(0))
                .setValidationSamples(counts.get(1))
                .setTestSamples(counts.get(2))
                .setCommonSamples(counts.get(3));
        for (int count : labelCounts.shared()) {
          reply.addLabelCounts(count);
        }
        // A later version of the contract may have fields that this node does not know.
        reply.setUnknownFields(unknownField(1_000, starts.get()));
        answer(responses, reply.build());
      }

      @Override
      public StreamObserver<TrainerMessages.VectorPart> setWeights(
          StreamObserver<TrainerMessages.Done> responses) {
        List<Float> values = new ArrayList<>();
        List<String> names = new ArrayList<>();
        return new StreamObserver<>() {
          @Override
          public void onNext(TrainerMessages.VectorPart part) {
            names.add(part.getName());
            FloatBuffer floats =
                part.getValues()
                    .asReadOnlyByteBuffer()
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asFloatBuffer();
            while (floats.hasRemaining()) {
              values.add(floats.get());
            }
          }

          @Override
          public void onError(Throwable error) {}

          @Override
          public void onCompleted() {
            float[] vector = new float[values.size()];
            for (int i = 0; i < vector.length; i++) {
              vector[i] = values.get(i);
            }
            vectors.put(names.getFirst(), vector);
            answer(responses, TrainerMessages.Done.getDefaultInstance());
          }
        };
      }

      @Override
      public void train(
          TrainerMessages.TrainRequest request,
          StreamObserver<TrainerMessages.TrainReply> responses) {
        trained.add(request);
        float[] model = vectors.getOrDefault("model", new float[0]).clone();
        for (int i = 0; i < model.length; i++) {
          model[i] += 1;
        }
        vectors.put("model", model);
        if (request.getReturnVelocity()) {
          float[] velocity =
              request.getVelocity().isEmpty()
                  ? new float[model.length]
                  : vectors.getOrDefault(request.getVelocity(), new float[0]).clone();
          for (int i = 0; i < velocity.length; i++) {
            velocity[i] *= 2;
          }
          vectors.put("velocity", velocity);
        }
        switch (behaviour) {
          case DIES -> server.shutdownNow();
          case HANGS -> {}
          case BREAKS ->
              responses.onError(Status.UNKNOWN.withDescription("out of chalk").asException());
          case REFUSES ->
              responses.onError(
                  Status.INVALID_ARGUMENT.withDescription("no such loss").asException());
          case ODD_LOSS -> answer(responses, trainReply(Double.NaN).build());
          case MISTYPED ->
              answer(responses, trainReply(0.25).setUnknownFields(unknownField(1, 7)).build());
          case GOOD, NOT_A_NUMBER, SHORT, LONG, UNEVEN, OVERSIZED ->
              answer(responses, trainReply(0.25).build());
        }
      }

      @Override
      public void getWeights(
          TrainerMessages.VectorName name, StreamObserver<TrainerMessages.VectorPart> responses) {
        float[] values = vectors.getOrDefault(name.getName(), new float[0]).clone();
        if (behaviour == Behaviour.UNEVEN || behaviour == Behaviour.OVERSIZED) {
          byte[] bytes = new byte[behaviour == Behaviour.UNEVEN ? 3 : 5 << 20];
          ByteString uneven = UnsafeByteOperations.unsafeWrap(bytes);
          answer(responses, TrainerMessages.VectorPart.newBuilder().setValues(uneven).build());
          return;
        }
        switch (behaviour) {
          case NOT_A_NUMBER -> values[values.length / 2] = Float.NaN;
          case SHORT -> values = Arrays.copyOf(values, values.length - 1);
          case LONG -> values = Arrays.copyOf(values, values.length + 1);
          default -> {}
        }
        int half = values.length / 2;
        responses.onNext(part(Arrays.copyOf(values, half)));
        responses.onNext(part(Arrays.copyOfRange(values, half, values.length)));
        responses.onCompleted();
      }

      @Override
      public void evaluate(
          TrainerMessages.View view, StreamObserver<TrainerMessages.EvaluateReply> responses) {
        boolean common = view.getSplit().equals("common");
        answer(
            responses,
            TrainerMessages.EvaluateReply.newBuilder()
                .setSamples(counts.get(common ? 3 : 2))
                .setLoss(0.5)
                .setAccuracy(common ? 0.25 : 0.75)
                .build());
      }

      @Override
      public void losses(
          TrainerMessages.View view, StreamObserver<TrainerMessages.VectorPart> responses) {
        answer(responses, part(0.5f, 1.5f));
      }

      @Override
      public void outputs(
          TrainerMessages.View view, StreamObserver<TrainerMessages.VectorPart> responses) {
        answer(responses, part());
      }
    }
  }

  private static TrainerMessages.VectorPart part(float... values) {
    return TrainerMessages.VectorPart.newBuilder()
        .setValues(TrainerRequests.bytes(values, 0, values.length))
        .build();
  }

  private static TrainerMessages.TrainReply.Builder trainReply(double loss) {
    return TrainerMessages.TrainReply.newBuilder().setLoss(loss).setSamples(3);
  }

  /** One whole number under a field number. */
  private static UnknownFieldSet unknownField(int number, int value) {
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addVarint(value).build())
        .build();
  }

  private static <T> void answer(StreamObserver<T> responses, T message) {
    responses.onNext(message);
    responses.onCompleted();
  }
}
