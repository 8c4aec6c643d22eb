package io.kindred.node.transport.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.node.TinyNetwork;
import io.kindred.node.Until;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Header;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.TaskAgreement;
import io.kindred.node.transport.outbound.AddressBook;
import io.kindred.node.transport.outbound.Outbox;
import io.kindred.node.transport.tls.PeerTrustManager;
import io.kindred.node.transport.tls.Tls;
import io.kindred.protocol.wire.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which senders' messages are accepted, and which are refused. */
@Timeout(60)
class RefusalTest {
  @TempDir private Path home;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<MessageReceiver.ReceivedMessage> arrived =
      Collections.synchronizedList(new ArrayList<>());
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final Refusals refusals = new Refusals(log::add);
  private final Wire wire = new Wire(List.of(NeighbourUpdate.class));
  private TinyNetwork network;
  private Weights weights;
  private InboundContext context;
  private Inbox inbox;
  private final AtomicInteger full = new AtomicInteger();

  @SuppressWarnings("NullAway.Init") // set before each test
  RefusalTest() {}

  @BeforeEach
  void open() {
    network = new TinyNetwork(home, 2, 1);
    weights =
        network
            .peerFactory()
            .architecture()
            .initialWeights(new RandomStreams(1).stream(Purpose.INITIAL_WEIGHTS, 0, 0));
    serve(Limits.DEFAULTS);
  }

  private void serve(Limits limits) {
    context =
        InboundContext.of(
            wire,
            new Layouts(List.of(weights.layout())),
            new AbusePolicy(limits, refusals),
            received ->
                full.getAndUpdate(left -> Math.max(0, left - 1)) == 0 && arrived.add(received));
    inbox =
        new Inbox(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            network.identity(0),
            context,
            new AddressBook(network.identity(0)),
            threads,
            timer);
  }

  @AfterEach
  void close() {
    inbox.close();
    timer.shutdownNow();
    threads.shutdownNow();
  }

  private Message model() {
    return new NeighbourUpdate(1, 1, ModelUpdate.of(new SlotModel(0, weights, 1)), false, 0);
  }

  private Outbox outbox(Identity sender, long millis, Refusals own) {
    SortedMap<PeerId, InetSocketAddress> addresses = new TreeMap<>();
    addresses.put(
        new PeerId(0), new InetSocketAddress(InetAddress.getLoopbackAddress(), inbox.port()));
    AddressBook book = new AddressBook(sender);
    book.addConfigured(addresses);
    return new Outbox(sender, book, millis, Packing.NONE, own, threads, timer);
  }

  /** Sends a message with this identity; returns the failure that the sender sees. */
  private Optional<String> send(Identity sender, long millis, Refusals own) throws Exception {
    try (Outbox outbox = outbox(sender, millis, own)) {
      return send(outbox);
    }
  }

  private Optional<String> send(Outbox outbox) throws Exception {
    CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
    outbox.send(
        new PeerId(0), Component.METHOD, wire.encode(Message.class, model()), ended::complete);
    return ended.get(30, TimeUnit.SECONDS);
  }

  @Test
  void aMemberGetsAMessageInWithItsWeights() throws Exception {
    assertThat(send(network.identity(1), 20_000, refusals)).isEmpty();
    assertThat(arrived)
        .singleElement()
        .satisfies(
            received -> {
              assertThat(received.from()).isEqualTo(new PeerId(1));
              assertThat(received.component()).isEqualTo(Component.METHOD);
              assertThat(received.message()).isEqualTo(model());
              assertThat(received.modelBytes()).isEqualTo(weights.bytes());
            });
    assertThat(refusals.counts()).isEmpty();
  }

  /** The executor may then be shut down without losing work of the connections. */
  @Test
  void nothingOfALineRunsAnyMoreOnceItIsClosed() throws Exception {
    Outbox outbox = outbox(network.identity(1), 20_000, refusals);
    assertThat(send(outbox)).isEmpty();
    ManagedChannel channel =
        Objects.requireNonNull(outbox.directConnectionTo(new PeerId(0))).channel();
    outbox.close();
    assertThat(channel.isTerminated()).isTrue();
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefusedAndLogged() throws Exception {
    Authority foreign = Authority.create(home.resolve("foreign"));
    Identity stranger =
        network.identity("stranger", foreign, new Member(TinyNetwork.NETWORK, new PeerId(1)));
    // The stranger trusts our authority, so it is the server that has to refuse.
    Identity credulous =
        new Identity(stranger.key(), stranger.certificate(), network.authority().certificate());
    assertThat(send(credulous, 2_000, new Refusals(line -> {}))).isPresent();
    assertThat(arrived).isEmpty();
    assertThat(refusals.counts()).containsKey(RefusalKind.FOREIGN_AUTHORITY);
    assertThat(log)
        .anySatisfy(line -> assertThat(line).startsWith("refused: client CN=peer-1.tiny"));
  }

  @Test
  void aMemberOfAnotherNetworkIsRefusedAndLogged() throws Exception {
    Identity other =
        network.identity("other", network.authority(), new Member("other", new PeerId(1)));
    // The other member's own side refuses ours first.
    List<String> itsLog = Collections.synchronizedList(new ArrayList<>());
    assertThat(send(other, 2_000, new Refusals(itsLog::add))).isPresent();
    assertThat(itsLog).isNotEmpty();
    // Our trust manager refuses its certificate, too.
    Refusals ours = new Refusals(log::add);
    assertThat(new PeerTrustManager(network.identity(0), ours))
        .satisfies(
            trustManager ->
                assertThatThrownBy(
                        () ->
                            trustManager.checkClientTrusted(
                                new X509Certificate[] {other.certificate()}, "EC"))
                    .hasMessage("client peer 1 of network other is not a member of network tiny"));
    assertThat(ours.counts()).containsEntry(RefusalKind.WRONG_NETWORK, 1L);
    assertThat(log)
        .contains("refused: client peer 1 of network other is not a member of network tiny");
    assertThat(arrived).isEmpty();
  }

  @Test
  void aModelThatThereIsNoRoomForComesLaterAndItsWeightsOnce() throws Exception {
    full.set(2);
    try (Outbox outbox = outbox(network.identity(1), 50_000, refusals)) {
      assertThat(send(outbox)).isEmpty();
      // A member that has not said which versions it speaks gets the oldest one.
      byte[] sent = TaskAgreement.none().addressed(Header.decode(header()), new PeerId(0)).encode();
      assertThat(outbox.framedBytes()).isEqualTo(3L * sent.length + weights.bytes());
    }
    assertThat(arrived).hasSize(1);
    assertThat(refusals.counts()).containsEntry(RefusalKind.NO_ROOM, 2L);
    assertThat(context.policy().offenceStats()).isEmpty();
  }

  @Test
  void aSenderWhoseTimeEndsWhileThereIsNoRoomLearnsOfIt() throws Exception {
    full.set(Integer.MAX_VALUE);
    assertThat(send(network.identity(1), 3_000, refusals))
        .contains(
            "RESOURCE_EXHAUSTED: too many received messages wait to be processed; try again later");
    assertThat(refusals.counts()).containsKey(RefusalKind.NO_ROOM);
  }

  private void serveAnew(Limits limits) {
    inbox.close();
    serve(limits);
  }

  @Test
  void aMemberThatKeepsSendingWrongModelsIsNotHeardForAWhile() throws Exception {
    weights = Weights.copyOf(weights.layout(), new float[weights.size()]);
    weights.shared()[0] = Float.NaN;
    for (int i = 0; i < 3; i++) {
      assertThat(send(network.identity(1), 20_000, refusals))
          .contains("INVALID_ARGUMENT: the weights are not finite");
    }
    assertThat(send(network.identity(1), 20_000, refusals))
        .hasValueSatisfying(
            why ->
                assertThat(why).startsWith("PERMISSION_DENIED: the sender is muted for another "));
    assertThat(arrived).isEmpty();
    assertThat(log)
        .contains(
            "refused: message of peer 1 of network tiny: the weights are not finite",
            "refused: peer 1 of network tiny is muted for 60 s after 3 offences");
  }

  @Test
  void aMemberThatSendsMoreThanItsShareIsToldSoAndComesLater() throws Exception {
    serveAnew(new Limits(512, 120, 0.5, 10, 60));
    Message words = new NeighbourUpdate(1, 1, new ModelUpdate(List.of()), false, 0);
    List<CompletableFuture<Optional<String>>> burst = new ArrayList<>();
    try (Outbox outbox = outbox(network.identity(1), 50_000, refusals)) {
      for (int i = 0; i < 3; i++) {
        CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
        outbox.send(
            new PeerId(0), Component.METHOD, wire.encode(Message.class, words), ended::complete);
        burst.add(ended);
      }
      for (CompletableFuture<Optional<String>> each : burst) {
        assertThat(each.get(50, TimeUnit.SECONDS)).isEmpty();
      }
    }
    assertThat(refusals.counts()).containsKey(RefusalKind.TOO_OFTEN);
    assertThat(arrived).hasSize(3);
  }

  /** Sends these frames as a message with that id; returns the status that the sender sees. */
  private Status sendFrames(String messageId, boolean ends, byte[]... all) throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), inbox.port()))
            .overrideAuthority(new Member(TinyNetwork.NETWORK, new PeerId(0)).hostName())
            .sslContext(
                Tls.clientContext(
                    network.identity(1), new PeerTrustManager(network.identity(1), refusals)))
            .build();
    Metadata metadata = new Metadata();
    metadata.put(NodeRpc.MESSAGE_ID, messageId);
    // The message is not relayed, so its signature is ignored.
    metadata.put(NodeRpc.SIGNATURE, "seal");
    try {
      CompletableFuture<Status> ended = new CompletableFuture<>();
      StreamObserver<byte[]> frames =
          ClientCalls.asyncClientStreamingCall(
              ClientInterceptors.intercept(
                      channel, MetadataUtils.newAttachHeadersInterceptor(metadata))
                  .newCall(NodeRpc.DELIVER, CallOptions.DEFAULT),
              new StreamObserver<>() {
                @Override
                public void onNext(byte[] receipt) {}

                @Override
                public void onError(Throwable refused) {
                  ended.complete(Status.fromThrowable(refused));
                }

                @Override
                public void onCompleted() {
                  ended.complete(Status.OK);
                }
              });
      for (byte[] frame : all) {
        frames.onNext(frame);
      }
      if (ends) {
        frames.onCompleted();
      }
      return ended.get(30, TimeUnit.SECONDS);
    } finally {
      channel.shutdownNow();
    }
  }

  private byte[] header() {
    return Header.of(
            network.identity(1).member(),
            Component.METHOD,
            wire.encode(Message.class, model()),
            Packing.NONE)
        .encode();
  }

  @Test
  void aMessageThatDoesNotEndIsGivenUp() throws Exception {
    serveAnew(new Limits(512, 0.2, 500, 10, 60));
    assertThat(sendFrames("1", false, header()).getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(refusals.counts()).containsEntry(RefusalKind.SLOW_MESSAGE, 1L);
    assertThat(arrived).isEmpty();
    // Its call is closed, and with it its memory is released.
    assertThat(Until.comesTrue(() -> context.transfers().findActive(new PeerId(1), "1").isEmpty()))
        .isTrue();
  }

  @Test
  void aMessageThatIsSentAgainIsRefusedAndLogged() throws Exception {
    byte[] values = Packing.NONE.pack(weights.shared(), 0, weights.size());
    assertThat(sendFrames("1", true, header(), values).isOk()).isTrue();
    assertThat(sendFrames("1", true, header(), values).getCode())
        .isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(arrived).hasSize(1);
    assertThat(log).contains("refused: message of peer 1 of network tiny: it was received before");
    assertThat(context.policy().offenceStats()).containsOnlyKeys(1L);
  }

  @Test
  void aMessageThatIsTooLargeIsRefusedAndLogged() throws Exception {
    serveAnew(new Limits(1e-6, 120, 500, 10, 60));
    assertThat(send(network.identity(1), 20_000, refusals))
        .hasValueSatisfying(why -> assertThat(why).startsWith("OUT_OF_RANGE: "));
    assertThat(log)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("refused: message of peer 1 of network tiny: ")
                    .contains(" bytes of weights, but the limit is "));
    assertThat(refusals.counts()).containsEntry(RefusalKind.TOO_LARGE, 1L);
    assertThat(arrived).isEmpty();
  }

  @Test
  void aMemberGetsInWhileOthersSpeakGarbage() throws Exception {
    RandomStream random = new RandomStreams(3).stream(new Purpose("garbage"), 0, 0);
    List<Socket> open = new ArrayList<>();
    for (int trial = 0; trial < 100; trial++) {
      byte[] garbage = new byte[1 + random.nextInt(2_000)];
      for (int i = 0; i < garbage.length; i++) {
        garbage[i] = (byte) random.nextInt(256);
      }
      // Every other trial starts like a TLS handshake.
      if (trial % 2 == 0 && garbage.length > 3) {
        System.arraycopy(new byte[] {22, 3, 1}, 0, garbage, 0, 3);
      }
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), inbox.port());
      socket.getOutputStream().write(garbage);
      open.add(socket);
    }
    assertThat(send(network.identity(1), 20_000, refusals)).isEmpty();
    assertThat(arrived).hasSize(1);
    for (Socket socket : open) {
      socket.close();
    }
  }

  @Test
  void aPlaintextConnectionGetsATlsAlertAtMost() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), inbox.port())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      byte[] answer = socket.getInputStream().readAllBytes();
      // A TLS alert (record type 21) at most, never a frame of HTTP/2.
      assertThat(answer.length == 0 || answer[0] == 21).isTrue();
    }
  }
}
