package io.kindred.node.trainer;

import io.grpc.Channel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

/** A trainer in this process that adds one to every weight; its first instances may misbehave. */
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
              .addService(service())
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

    private ServerServiceDefinition service() {
      return ServerServiceDefinition.builder(TrainerService.NAME)
          .addMethod(
              TrainerService.HELLO,
              ServerCalls.asyncUnaryCall((request, responses) -> answer(responses, hello(request))))
          .addMethod(TrainerService.SET_WEIGHTS, ServerCalls.asyncClientStreamingCall(this::set))
          .addMethod(TrainerService.GET_WEIGHTS, ServerCalls.asyncServerStreamingCall(this::get))
          .addMethod(TrainerService.TRAIN, ServerCalls.asyncUnaryCall(this::train))
          .addMethod(
              TrainerService.EVALUATE,
              ServerCalls.asyncUnaryCall((view, responses) -> answer(responses, evaluate(view))))
          .addMethod(
              TrainerService.LOSSES,
              ServerCalls.asyncServerStreamingCall(
                  (view, responses) -> answer(responses, part(0.5f, 1.5f))))
          .addMethod(
              TrainerService.OUTPUTS,
              ServerCalls.asyncServerStreamingCall((view, responses) -> answer(responses, part())))
          .build();
    }

    private TrainerMessages.HelloReply hello(TrainerMessages.HelloRequest request) {
      helloRequest = request;
      return new TrainerMessages.HelloReply(
          1,
          "fake",
          offers,
          counts.get(0),
          counts.get(1),
          counts.get(2),
          counts.get(3),
          labelCounts);
    }

    private StreamObserver<TrainerMessages.VectorPart> set(
        StreamObserver<TrainerMessages.Done> responses) {
      List<Float> values = new ArrayList<>();
      List<String> names = new ArrayList<>();
      return new StreamObserver<>() {
        @Override
        public void onNext(TrainerMessages.VectorPart part) {
          names.add(part.name());
          for (float value : part.values().shared()) {
            values.add(value);
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
          answer(responses, new TrainerMessages.Done());
        }
      };
    }

    private void train(
        TrainerMessages.TrainRequest request,
        StreamObserver<TrainerMessages.TrainReply> responses) {
      trained.add(request);
      float[] model = vectors.getOrDefault("model", new float[0]).clone();
      for (int i = 0; i < model.length; i++) {
        model[i] += 1;
      }
      vectors.put("model", model);
      switch (behaviour) {
        case DIES -> server.shutdownNow();
        case HANGS -> {}
        case BREAKS ->
            responses.onError(Status.UNKNOWN.withDescription("out of chalk").asException());
        case REFUSES ->
            responses.onError(
                Status.INVALID_ARGUMENT.withDescription("no such loss").asException());
        case ODD_LOSS -> answer(responses, new TrainerMessages.TrainReply(Double.NaN, 3));
        case GOOD, NOT_A_NUMBER, SHORT, LONG ->
            answer(responses, new TrainerMessages.TrainReply(0.25, 3));
      }
    }

    private void get(
        TrainerMessages.VectorName name, StreamObserver<TrainerMessages.VectorPart> responses) {
      float[] values = vectors.getOrDefault(name.name(), new float[0]).clone();
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

    private TrainerMessages.EvaluateReply evaluate(TrainerMessages.View view) {
      int samples = view.split().equals("common") ? counts.get(3) : counts.get(2);
      return new TrainerMessages.EvaluateReply(
          samples, 0.5, view.split().equals("common") ? 0.25 : 0.75, List.of());
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
  }

  private static TrainerMessages.VectorPart part(float... values) {
    return new TrainerMessages.VectorPart("", Floats.of(values));
  }

  private static <T> void answer(StreamObserver<T> responses, T message) {
    responses.onNext(message);
    responses.onCompleted();
  }
}
