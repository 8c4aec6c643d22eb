package io.kindred.benchmarks;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.node.assembly.NodeRun;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.task.TaskFile;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.TaskAgreement;
import io.kindred.node.transport.WireSettings;
import io.kindred.node.transport.inbound.AbusePolicy;
import io.kindred.node.transport.inbound.InboundContext;
import io.kindred.node.transport.inbound.Inbox;
import io.kindred.node.transport.outbound.AddressBook;
import io.kindred.node.transport.tls.PeerTrustManager;
import io.kindred.node.transport.tls.Tls;
import io.kindred.protocol.wire.Wire;
import io.kindred.runtime.StopSignal;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What three honest nodes do about one hostile member that has a valid certificate: for each kind
 * of hostile behaviour what it is answered, what the nodes refuse and log, for how long they mute
 * it, and how accurate the honest nodes are at the end. The first row is without a hostile member.
 */
public final class HostileMembers {
  private static final int HONEST = 3;
  private static final int HOSTILE = 66;
  private static final int ROUNDS = 25;
  private static final int WEIGHTS = 12;
  private static final int FLOOD = 3_000;
  private static final int FLOOD_SENDERS = 30;
  private static final long OVERSIZED = 1L << 40;

  private static final String TASK =
      """
      name: plants
      inputs:
        columns: [{name: a, mean: 5, deviation: 2}, {name: b, mean: 5, deviation: 2}, {name: c, mean: 5, deviation: 2}]
      classes: [fern, iris, lily]
      method: {name: dfedavgm, weights: samples, timeout: {seconds: 3}}
      model: softmax
      training: {batch: 8, learningRate: 0.1}
      rounds: %d
      roundSeconds: %s
      heldOut: {test: 0.5}
      """;

  /** What a hostile member does to one node. */
  private interface Behaviour {
    void against(Attack attack) throws Exception;
  }

  private record Row(String name, Behaviour behaviour) {}

  private final Path home;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private HostileMembers(Path home) {
    this.home = home;
  }

  public static void main(String[] arguments) throws Exception {
    List<Row> rows =
        List.of(
            new Row("nobody", attack -> {}),
            new Row("garbage", attack -> attack.repeat(5, each -> attack.sendRaw(garbage(200)))),
            new Row(
                "unknown version byte", attack -> attack.repeat(5, each -> attack.sendVersion(9))),
            new Row(
                "no message number", attack -> attack.repeat(5, each -> attack.sendUnnumbered())),
            new Row("replay", Attack::replay),
            new Row(
                "NaN weights", attack -> attack.repeat(5, each -> attack.send(1, Float.NaN, 1))),
            new Row("huge weights", attack -> attack.repeat(5, each -> attack.send(1, 1e6f, 1))),
            new Row("oversized", attack -> attack.repeat(5, each -> attack.sendOversized())),
            new Row("half-open messages", Attack::halfOpen),
            new Row("flood", Attack::flood),
            new Row("other task", Attack::otherTask),
            new Row("silent", Attack::join),
            new Row("round liar", Attack::claimLastRound),
            new Row("count liar", attack -> attack.everyRound(3e38)),
            new Row("count liar within the cap", attack -> attack.everyRound(1e9)));
    System.out.printf(
        "| behaviour | answered | refused by node 0 | muted for | rounds | accuracy of honest nodes |"
            + " first log line |%n|---|---|---|---|---|---|---|%n");
    for (Row row : rows) {
      if (arguments.length == 0 || Arrays.asList(arguments).contains(row.name())) {
        new HostileMembers(Files.createTempDirectory("hostile")).measure(row);
      }
    }
    System.exit(0);
  }

  private static byte[] garbage(int bytes) {
    byte[] random = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(random);
    return random;
  }

  private static List<Integer> freePorts() throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < HONEST; i++) {
      held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      ports.add(held.getLast().getLocalPort());
    }
    for (ServerSocket each : held) {
      each.close();
    }
    return ports;
  }

  private static String table(int owner) {
    Random random = new Random(owner);
    StringBuilder rows = new StringBuilder("a,b,c,label\n");
    List<String> classes = List.of("fern", "iris", "lily");
    for (int i = 0; i < 120; i++) {
      int kind = random.nextInt(5) < 3 ? owner % 3 : random.nextInt(3);
      for (int column = 0; column < 3; column++) {
        double mean = column == kind ? 6.5 : 4;
        rows.append(String.format(Locale.ROOT, "%.3f,", mean + 1.3 * random.nextGaussian()));
      }
      rows.append(classes.get(kind)).append('\n');
    }
    return rows.toString();
  }

  private Path node(Authority authority, int peer, List<Integer> ports) throws IOException {
    Path folder = Files.createDirectories(home.resolve("node-" + peer));
    Identity.create(folder.resolve("identity"));
    authority.issue(folder.resolve("identity"), new Member("plants", new PeerId(peer)));
    Files.writeString(folder.resolve("mine.csv"), table(peer));
    Files.writeString(folder.resolve("plants.task.yaml"), task(ROUNDS));
    StringBuilder neighbours = new StringBuilder();
    for (int other = 0; other < HONEST; other++) {
      if (other != peer) {
        neighbours.append("%d: 127.0.0.1:%d, ".formatted(other, ports.get(other)));
      }
    }
    return Files.writeString(
        folder.resolve("node.yaml"),
        """
        task: plants.task.yaml
        data: {name: csv, file: mine.csv}
        listen: 127.0.0.1:%d
        gatherSeconds: 30
        sendSeconds: 3
        limits: {messageSeconds: 5, messagesPerSecond: 100}
        neighbours: {%s}
        """
            .formatted(ports.get(peer), neighbours));
  }

  private static String task(int rounds) {
    return TASK.formatted(rounds, "0.7");
  }

  private static JsonNode status(Path file) throws IOException {
    Path status = file.resolveSibling("run/status.json");
    return Json.tree(Files.exists(status) ? Files.readString(status) : "{}");
  }

  private void measure(Row row) throws Exception {
    Authority authority = Authority.create(home.resolve("ca"));
    List<Integer> ports = freePorts();
    List<Path> files = new ArrayList<>();
    for (int peer = 0; peer < HONEST; peer++) {
      files.add(node(authority, peer, ports));
    }
    Path hostile = home.resolve("hostile");
    Identity.create(hostile);
    authority.issue(hostile, new Member("plants", new PeerId(HOSTILE)));
    List<String> log = new CopyOnWriteArrayList<>();
    StopSignal stop = new StopSignal();
    List<Future<?>> ended = new ArrayList<>();
    for (Path file : files) {
      NodeRun run = new NodeRun(file);
      ended.add(
          threads.submit(
              () -> {
                run.execute(
                    stop, file.equals(files.getFirst()) ? log::add : line -> {}, DataFiles.NONE);
                return file;
              }));
    }
    for (Path file : files) {
      awaitRound(file, 2);
    }
    Attack attack =
        new Attack(
            Identity.read(hostile),
            ports,
            files,
            task(ROUNDS),
            () -> log.stream().anyMatch(line -> line.contains("peer 66 is a neighbour now")));
    row.behaviour().against(attack);
    // The status is written every second.
    new StopSignal().await(1_500);
    JsonNode after = status(files.getFirst());
    for (Path file : files) {
      awaitRound(file, ROUNDS);
    }
    attack.close();
    stop.request();
    for (Future<?> each : ended) {
      each.get();
    }
    double accuracy = 0;
    for (Path file : files) {
      List<String> lines = Files.readAllLines(file.resolveSibling("run/metrics.jsonl"));
      accuracy += Json.tree(lines.getLast()).path("accuracy").asDouble(Double.NaN) / HONEST;
    }
    JsonNode offence = after.path("offences").path(Integer.toString(HOSTILE));
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s %s | %.0f s | %s | %.3f | %s |%n",
        row.name(),
        attack.answers(),
        after.path("refused"),
        after.path("counts"),
        offence.path("mutedSeconds").asDouble(0),
        status(files.getFirst()).path("totals").path("round").asInt(),
        accuracy,
        log.stream().filter(line -> line.startsWith("refused")).findFirst().orElse("none"));
  }

  private static void awaitRound(Path file, int round) throws Exception {
    StopSignal never = new StopSignal();
    while (status(file).path("totals").path("round").asInt(0) < round) {
      never.await(50);
    }
  }

  /** A member with a valid certificate that says what it likes. */
  private static final class Attack {
    private static final Wire WIRE = new Wire(List.of(NeighbourUpdate.class));

    private final Identity identity;
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<Path> files;
    private final List<String> answers = Collections.synchronizedList(new ArrayList<>());
    private final TaskAgreement agreement;
    private final List<Integer> ports;
    private final BooleanSupplier joined;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private @Nullable Inbox inbox;
    private int messages;

    Attack(
        Identity identity,
        List<Integer> ports,
        List<Path> files,
        String task,
        BooleanSupplier joined)
        throws Exception {
      this.joined = joined;
      this.identity = identity;
      this.files = files;
      this.ports = ports;
      agreement =
          new TaskAgreement(
              Optional.of(TaskFile.describe(TaskFile.parse("plants.task.yaml", task))),
              WireSettings.DEFAULTS);
      for (int peer = 0; peer < ports.size(); peer++) {
        channels.add(channel(peer, agreement));
      }
    }

    private ManagedChannel channel(int peer, TaskAgreement told) throws Exception {
      Refusals refusals = new Refusals(line -> {});
      return NettyChannelBuilder.forAddress("127.0.0.1", ports.get(peer))
          .sslContext(Tls.clientContext(identity, new PeerTrustManager(identity, refusals)))
          .overrideAuthority(new Member("plants", new PeerId(peer)).hostName())
          .intercept(told.interceptor(new PeerId(peer), () -> {}))
          .build();
    }

    void close() {
      channels.forEach(ManagedChannel::shutdownNow);
      Inbox listening = inbox;
      if (listening != null) {
        listening.close();
      }
    }

    String answers() {
      synchronized (answers) {
        return String.join(", ", answers.stream().distinct().toList());
      }
    }

    private interface Step {
      void run(int turn) throws Exception;
    }

    void repeat(int times, Step step) throws Exception {
      announce();
      for (int turn = 0; turn < times; turn++) {
        step.run(turn);
      }
    }

    /** Takes part in every round, with a false number of samples and a model of zeros. */
    void everyRound(double samples) throws Exception {
      join();
      for (int round = 2; round <= ROUNDS; round++) {
        awaitRound(files.getFirst(), round - 1);
        send(round, 0, samples);
      }
    }

    /** Becomes a neighbour of every node, which accepts their messages. */
    void join() throws Exception {
      AbusePolicy policy = new AbusePolicy(Limits.DEFAULTS, new Refusals(line -> {}));
      inbox =
          new Inbox(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              identity,
              InboundContext.of(
                  WIRE,
                  new Layouts(List.of(weights(0).layout())),
                  agreement,
                  policy,
                  received -> true),
              new AddressBook(identity),
              threads,
              timer);
      announce(inbox.port());
      StopSignal never = new StopSignal();
      while (!joined.getAsBoolean()) {
        never.await(50);
      }
      // The others look for new members as often.
      never.await(2_500);
    }

    /** Says in every message that it has finished the run. */
    void claimLastRound() throws Exception {
      join();
      for (int i = 0; i < 20; i++) {
        send(ROUNDS, 0, 1);
      }
    }

    private void announce() throws Exception {
      announce(1);
    }

    /** Tells every node an address, so that they take the hostile member for a neighbour. */
    private void announce(int port) throws Exception {
      AddressBook book = new AddressBook(identity);
      book.keep(SignedAddress.of(identity, "127.0.0.1", port, System.currentTimeMillis()));
      for (ManagedChannel channel : channels) {
        ClientCalls.blockingUnaryCall(
            channel, NodeRpc.EXCHANGE_ADDRESSES, CallOptions.DEFAULT, book.syncRequest());
      }
    }

    private static Weights weights(float value) {
      float[] values = new float[WEIGHTS];
      Arrays.fill(values, value);
      Layout layout =
          new Architecture(List.of(new LayerShape.Dense("output", 3, 3)), 3, 3).layout();
      return Weights.copyOf(layout, values);
    }

    private byte[] header(int round, Weights weights, double samples) {
      return Header.of(
              identity.member(),
              Component.METHOD,
              WIRE.encode(
                  Message.class,
                  new NeighbourUpdate(
                      round, 3, ModelUpdate.of(new SlotModel(0, weights, samples)), false, 0)),
              Packing.NONE)
          .encode();
    }

    private static byte[] bytes(Weights weights) {
      ByteBuffer plain = ByteBuffer.allocate(WEIGHTS * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      plain.asFloatBuffer().put(weights.copy());
      return plain.array();
    }

    private void deliver(Optional<String> number, boolean ends, byte[]... frames) {
      for (ManagedChannel channel : channels) {
        CompletableFuture<String> ended = new CompletableFuture<>();
        Metadata metadata = new Metadata();
        number.ifPresent(each -> metadata.put(NodeRpc.MESSAGE_ID, each));
        StreamObserver<byte[]> call =
            ClientCalls.asyncClientStreamingCall(
                ClientInterceptors.intercept(
                        channel, MetadataUtils.newAttachHeadersInterceptor(metadata))
                    .newCall(NodeRpc.DELIVER, CallOptions.DEFAULT),
                new StreamObserver<>() {
                  @Override
                  public void onNext(byte[] receipt) {}

                  @Override
                  public void onError(Throwable refused) {
                    Status status = Status.fromThrowable(refused);
                    ended.complete(
                        status.getCode()
                            + (String.valueOf(status.getDescription()).contains("muted")
                                ? " (muted)"
                                : ""));
                  }

                  @Override
                  public void onCompleted() {
                    ended.complete("accepted");
                  }
                });
        for (byte[] frame : frames) {
          call.onNext(frame);
        }
        if (ends) {
          call.onCompleted();
          try {
            answers.add(ended.get(10, TimeUnit.SECONDS));
          } catch (TimeoutException late) {
            answers.add("no answer");
          } catch (Exception e) {
            answers.add(String.valueOf(e));
          }
        } else {
          ended.thenAccept(answers::add);
        }
      }
    }

    private Optional<String> next() {
      return Optional.of("h" + messages++);
    }

    void send(int round, float value, double samples) {
      Weights weights = weights(value);
      deliver(next(), true, header(round, weights, samples), bytes(weights));
    }

    void sendRaw(byte[] header) {
      deliver(next(), true, header);
    }

    void sendVersion(int version) {
      Weights weights = weights(0);
      byte[] header = header(1, weights, 1);
      header[0] = (byte) version;
      deliver(next(), true, header, bytes(weights));
    }

    void sendUnnumbered() {
      Weights weights = weights(0);
      deliver(Optional.empty(), true, header(1, weights, 1), bytes(weights));
    }

    void replay() throws Exception {
      announce();
      Weights weights = weights(0);
      Optional<String> number = next();
      for (int i = 0; i < 5; i++) {
        deliver(number, true, header(1, weights, 1), bytes(weights));
      }
    }

    /** The last bytes of a header with one vector are its size and packing. */
    void sendOversized() {
      Weights weights = weights(0);
      Wire.Encoded encoded =
          WIRE.encode(
              Message.class,
              new NeighbourUpdate(1, 3, ModelUpdate.of(new SlotModel(0, weights, 1)), false, 0));
      deliver(
          next(),
          true,
          OversizedHeader.of(identity.member(), encoded, weights, OVERSIZED),
          bytes(weights));
    }

    /** Announces models and never sends them. */
    void halfOpen() throws Exception {
      announce();
      Weights weights = weights(0);
      for (int i = 0; i < 30; i++) {
        deliver(next(), false, header(1, weights, 1));
      }
      new StopSignal().await(7_000);
    }

    void flood() throws Exception {
      announce();
      Weights weights = weights(0);
      List<Future<?>> sending = new ArrayList<>();
      for (int i = 0; i < FLOOD_SENDERS; i++) {
        int sender = i;
        sending.add(
            threads.submit(
                () -> {
                  for (int turn = 0; turn < FLOOD / FLOOD_SENDERS; turn++) {
                    deliver(
                        Optional.of("f" + sender + "-" + turn),
                        true,
                        header(1, weights, 1),
                        bytes(weights));
                  }
                }));
      }
      for (Future<?> each : sending) {
        each.get();
      }
    }

    void otherTask() throws Exception {
      TaskAgreement other =
          new TaskAgreement(
              Optional.of(TaskFile.describe(TaskFile.parse("birds.task.yaml", task(99)))),
              WireSettings.DEFAULTS);
      close();
      channels.clear();
      for (int peer = 0; peer < ports.size(); peer++) {
        channels.add(channel(peer, other));
      }
      for (int i = 0; i < 5; i++) {
        send(1, 0, 1);
      }
    }
  }
}
