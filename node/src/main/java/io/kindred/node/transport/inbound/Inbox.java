package io.kindred.node.transport.inbound;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.MessageSignature;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.outbound.AddressBook;
import io.kindred.node.transport.relay.RelayServer;
import io.kindred.node.transport.relay.RelayedMessageReceiver;
import io.kindred.node.transport.tls.LoggingTlsNegotiator;
import io.kindred.node.transport.tls.PeerTrustManager;
import io.kindred.node.transport.tls.Tls;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The door: listens with TLS only and hands over messages once they are complete. */
public final class Inbox implements AutoCloseable, RelayedMessageReceiver {
  private static final Context.Key<Member> CALLER = Context.key("caller");
  private static final Context.Key<List<X509Certificate>> CERTIFICATES =
      Context.key("certificates");
  private static final Context.Key<MessageMetadata> METADATA = Context.key("slip");
  private static final String COLLECT_METHOD = NodeRpc.COLLECT.getFullMethodName();
  private static final int MOST_CALLS_PER_CONNECTION = 32;
  private static final int MIN_SECONDS_BETWEEN_PINGS = 5;

  private final Wire wire;
  private final Layouts layouts;
  private final MessageReceiver messageReceiver;
  private final AddressBook addressBook;
  private final AbusePolicy policy;
  private final InboundTransfers transfers;
  private final MemoryBudget budget;
  private final RelayServer relayServer;
  private final Member self;
  private final ScheduledExecutorService timer;
  private final PeerTrustManager trustManager;
  private final Server server;
  private final int port;

  /** Opens the door; port 0 takes any that is free. */
  public Inbox(
      InetSocketAddress address,
      Identity identity,
      Wire wire,
      Layouts layouts,
      MessageReceiver messageReceiver,
      AddressBook book,
      AbusePolicy policy,
      Executor executor,
      ScheduledExecutorService timer) {
    this.wire = wire;
    this.layouts = layouts;
    this.messageReceiver = messageReceiver;
    this.addressBook = book;
    this.policy = policy;
    this.budget = MemoryBudget.ofMemory(layouts.maxModelBytes());
    this.transfers = new InboundTransfers(policy.limits(), budget, System::nanoTime);
    this.self = identity.member();
    this.timer = timer;
    Refusals refusals = policy.refusals();
    trustManager = new PeerTrustManager(identity, refusals);
    relayServer = new RelayServer(policy.limits(), trustManager::admits);
    try {
      server =
          NettyServerBuilder.forAddress(address)
              .protocolNegotiator(
                  new LoggingTlsNegotiator(Tls.serverContext(identity, trustManager), refusals))
              .addService(service())
              .executor(executor)
              .maxInboundMessageSize(NodeRpc.MAX_FRAME_BYTES)
              .flowControlWindow(NodeRpc.WINDOW_BYTES)
              .maxConcurrentCallsPerConnection(MOST_CALLS_PER_CONNECTION)
              .permitKeepAliveTime(MIN_SECONDS_BETWEEN_PINGS, TimeUnit.SECONDS)
              .build()
              .start();
      port = server.getPort();
    } catch (IOException refused) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "cannot listen at "
              + address
              + " ("
              + refused.getMessage()
              + "); stop whoever does, or choose another 'listen'");
    }
  }

  private ServerServiceDefinition service() {
    return ServerInterceptors.intercept(
        ServerServiceDefinition.builder(NodeRpc.NAME)
            .addMethod(NodeRpc.DELIVER, ServerCalls.asyncClientStreamingCall(this::receive))
            .addMethod(
                NodeRpc.EXCHANGE_ADDRESSES,
                ServerCalls.asyncUnaryCall(
                    (question, answers) -> answerAddressExchange(question, answers)))
            .addMethod(
                NodeRpc.RESUME,
                ServerCalls.asyncUnaryCall((question, answers) -> answerResume(question, answers)))
            .addMethod(
                NodeRpc.COLLECT,
                ServerCalls.asyncBidiStreamingCall(
                    frames ->
                        relayServer.openChannel(
                            CALLER.get().peer(),
                            CERTIFICATES.get(),
                            (ServerCallStreamObserver<byte[]>) frames)))
            .addMethod(
                NodeRpc.ECHO,
                ServerCalls.asyncUnaryCall(
                    (load, answers) -> {
                      answers.onNext(NodeRpc.RECEIPT);
                      answers.onCompleted();
                    }))
            .build(),
        new AuthInterceptor());
  }

  private StreamObserver<byte[]> receive(StreamObserver<byte[]> answers) {
    MessageMetadata metadata = METADATA.get();
    ServerCallStreamObserver<byte[]> call = (ServerCallStreamObserver<byte[]>) answers;
    if (metadata.receiver().filter(to -> !to.equals(self.peer())).isPresent()) {
      return relayServer.forward(metadata, call);
    }
    InboundCall inboundCall =
        new InboundCall(this, CALLER.get(), metadata.withoutSignature(), answers);
    // A call that this side ends, as for a slow one, is nowhere else told to be over.
    call.setOnCloseHandler(inboundCall::interrupt);
    return inboundCall;
  }

  @Override
  public Optional<StreamObserver<byte[]>> receive(
      MessageMetadata metadata, byte[] header, StreamObserver<byte[]> answers)
      throws MalformedException {
    return verifiedSender(metadata, header)
        .map(sender -> new InboundCall(this, sender, metadata, answers));
  }

  /** Whose message it is that somebody handed on, if one of ours sealed it and may be heard. */
  private Optional<Member> verifiedSender(MessageMetadata metadata, byte[] header)
      throws MalformedException {
    MessageSignature signature = MessageSignature.parse(metadata.signature().orElse(""));
    Optional<Member> sender =
        signature
            .of(self.peer(), metadata.messageId().orElse(""), header)
            .filter(member -> trustManager.isTrustedMember(signature.certificate()));
    if (sender.isEmpty()) {
      policy.refusals().add("false-seal", "a message that was handed on without a valid seal");
    }
    return sender.filter(
        member -> policy.mutedSeconds(member.peer()) == 0 && policy.tryTakeToken(member.peer()));
  }

  private void answerAddressExchange(byte[] question, StreamObserver<byte[]> answers) {
    try {
      answers.onNext(addressBook.answerSync(question));
      answers.onCompleted();
    } catch (MalformedException malformed) {
      policy.reportOffence(
          CALLER.get(), "malformed-message", "addresses: " + malformed.getMessage());
      answers.onError(Status.INVALID_ARGUMENT.asRuntimeException());
    }
  }

  /** How much is here of a message whose connection broke for its sender, if not yet for us. */
  private void answerResume(byte[] question, StreamObserver<byte[]> answers) {
    PeerId caller = CALLER.get().peer();
    try {
      String number = new WireInput(question, digest -> null).readText();
      transfers.findActive(caller, number).ifPresent(InboundCall::interrupt);
      WireOutput answer = new WireOutput(weights -> {});
      answer.writeLong(
          transfers.wasReceived(caller, number)
              ? NodeRpc.ALL_THERE
              : transfers.receivedWeights(caller, number));
      answers.onNext(answer.toBytes());
      answers.onCompleted();
    } catch (MalformedException malformed) {
      policy.reportOffence(CALLER.get(), "malformed-message", "resume: " + malformed.getMessage());
      answers.onError(Status.INVALID_ARGUMENT.asRuntimeException());
    }
  }

  /** Puts who the certificate says is calling beside the call. */
  private final class AuthInterceptor implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      List<X509Certificate> shown =
          Tls.peerCertificates(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
      Optional<Member> caller =
          !shown.isEmpty() && trustManager.admits(shown)
              ? Member.of(shown.getFirst())
              : Optional.empty();
      if (caller.isEmpty()) {
        if (shown.isEmpty()) {
          policy.refusals().add("no-identity", "a call without a certificate");
        }
        return reject(call, Status.UNAUTHENTICATED.withDescription("who calls?"));
      }
      Member member = caller.get();
      double muted = policy.mutedSeconds(member.peer());
      if (muted > 0) {
        return reject(
            call,
            Status.PERMISSION_DENIED.withDescription(
                "not heard for another %.0f s after wrong messages".formatted(muted)));
      }
      if (!policy.tryTakeToken(member.peer())) {
        policy.refusals().add("too-often", "message of " + member + ": too many a second");
        return reject(call, Status.RESOURCE_EXHAUSTED.withDescription("too many a second"));
      }
      Context known =
          Context.current()
              .withValue(CALLER, member)
              .withValue(CERTIFICATES, shown)
              .withValue(METADATA, MessageMetadata.of(headers));
      if (call.getMethodDescriptor().getFullMethodName().equals(COLLECT_METHOD)) {
        return Contexts.interceptCall(known, call, headers, next);
      }
      long began = System.nanoTime();
      Context.CancellableContext context =
          known.withDeadlineAfter(limits().messageMillis(), TimeUnit.MILLISECONDS, timer);
      context.addListener(
          ended -> {
            if (ended.cancellationCause() instanceof TimeoutException) {
              closeTimedOut(call, member, began);
            }
          },
          Runnable::run);
      return Contexts.interceptCall(context, call, headers, next);
    }

    private <Q, A> ServerCall.Listener<Q> reject(ServerCall<Q, A> call, Status status) {
      call.close(status, new Metadata());
      return new ServerCall.Listener<>() {};
    }
  }

  /**
   * Whoever begins a message and does not end it must not keep the room for it. That is no offence:
   * this node or the network may have stood still. A sender that gave up before counts for nothing.
   */
  private void closeTimedOut(ServerCall<?, ?> call, Member member, long began) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    if (millis >= limits().messageMillis()) {
      policy.refusals().add("slow-message", "message of " + member + ": not complete in time");
      call.close(Status.DEADLINE_EXCEEDED.withDescription("not complete in time"), new Metadata());
    }
  }

  Wire wire() {
    return wire;
  }

  Layouts layouts() {
    return layouts;
  }

  Limits limits() {
    return policy.limits();
  }

  MessageReceiver messageReceiver() {
    return messageReceiver;
  }

  AbusePolicy abusePolicy() {
    return policy;
  }

  InboundTransfers transfers() {
    return transfers;
  }

  /** For messages that are not complete yet, under way or broken off. */
  MemoryBudget memoryBudget() {
    return budget;
  }

  /** What was handed on to others. */
  public RelayServer.RelayStats relayStats() {
    return relayServer.stats();
  }

  /** The port that it listens at, or listened at before it was closed. */
  public int port() {
    return port;
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
