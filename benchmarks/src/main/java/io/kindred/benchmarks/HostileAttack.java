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
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.identity.Validity;
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
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.overlay.OverlayMessage.Probe;
import io.kindred.protocol.wire.Wire;
import io.kindred.runtime.StopSignal;
import io.kindred.storage.OperatorException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A member with a valid certificate that says what it likes. */
final class HostileAttack {
  private static final int WEIGHTS = 12;
  private static final int FLOOD = 3_000;
  private static final int FLOOD_SENDERS = 30;
  private static final long OVERSIZED = 1L << 40;

  private static final Wire WIRE = new Wire(List.of(NeighbourUpdate.class, Probe.class));

  private final Identity identity;
  private final Path authorityFolder;
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

  HostileAttack(
      Identity identity,
      Path authorityFolder,
      List<Integer> ports,
      List<Path> files,
      String task,
      BooleanSupplier joined)
      throws Exception {
    this.joined = joined;
    this.identity = identity;
    this.files = files;
    this.authorityFolder = authorityFolder;
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

  interface Step {
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
    for (int round = 2; round <= HostileMembers.ROUNDS; round++) {
      HostileMembers.awaitRound(files.getFirst(), round - 1);
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
      send(HostileMembers.ROUNDS, 0, 1);
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
    Layout layout = new Architecture(List.of(new LayerShape.Dense("output", 3, 3)), 3, 3).layout();
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
        Future<?> _ = ended.thenAccept(answers::add);
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

  /** What a program computes that knows the task: the score of peer 1 from the task's seed. */
  void sendForgedProof() {
    ElectionIdentity computed = ElectionIdentity.fromSeed(1, ports.size()).apply(1);
    PeerId other = new PeerId(1);
    Bytes forged =
        computed.verifier().draw(other, computed.secret(), computed.previousEpoch()).proof();
    long epoch = computed.previousEpoch().next().number();
    deliver(
        next(),
        true,
        Header.of(
                identity.member(),
                Component.DISCOVERY,
                WIRE.encode(Message.class, new Probe(new ZoneId(epoch, 1, other), forged, 1, 1)),
                Packing.NONE)
            .encode());
  }

  /** Makes a new key and asks the authority to certify it for the same peer. */
  void askForSecondCertificate() throws Exception {
    Path folder = authorityFolder.resolveSibling("second");
    Identity.create(folder);
    try {
      Authority.read(authorityFolder)
          .issueIndexed(authorityFolder, folder, identity.member(), Validity.ofDays(1), false);
      answers.add("issued");
    } catch (OperatorException refused) {
      answers.add(String.valueOf(refused.getMessage()));
    }
  }

  /** The authority revokes this member, and one node gets the list. */
  void sendUntilRevoked() throws Exception {
    announce();
    Authority.read(authorityFolder).revoke(authorityFolder, identity.certificate());
    Files.copy(
        Authority.revocationsFile(authorityFolder),
        files.getFirst().resolveSibling("identity").resolve("revoked.crl"));
    long began = System.nanoTime();
    List<Path> open = new ArrayList<>(files);
    while (!open.isEmpty()) {
      send(1, 0, 1);
      for (Path file : List.copyOf(open)) {
        if (HostileMembers.status(file).path("refused").has("revoked-certificate")) {
          open.remove(file);
        }
      }
      new StopSignal().await(100);
    }
    answers.add("refused by all after %.1f s".formatted((System.nanoTime() - began) / 1e9));
  }

  void otherTask() throws Exception {
    TaskAgreement other =
        new TaskAgreement(
            Optional.of(
                TaskFile.describe(TaskFile.parse("birds.task.yaml", HostileMembers.task(99)))),
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
