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
import io.kindred.node.identity.RevocationBook;
import io.kindred.node.log.NodeLog;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.TaskAgreement;
import io.kindred.node.transport.outbound.AddressBook;
import io.kindred.node.transport.relay.RelayServer;
import io.kindred.node.transport.relay.RelayedMessageReceiver;
import io.kindred.node.transport.tls.LoggingTlsNegotiator;
import io.kindred.node.transport.tls.PeerTrustManager;
import io.kindred.node.transport.tls.Tls;
import io.kindred.protocol.wire.MalformedException;
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

/**
 * Listens for calls of other members, over TLS only, and hands over messages once they are
 * complete.
 */
public final class Inbox implements AutoCloseable, RelayedMessageReceiver {
  private static final Context.Key<Member> CALLER = Context.key("caller");
  private static final Context.Key<List<X509Certificate>> CERTIFICATES =
      Context.key("certificates");
  private static final Context.Key<MessageMetadata> METADATA = Context.key("metadata");
  private static final String COLLECT_METHOD = NodeRpc.COLLECT.getFullMethodName();
  private static final String COMPARE_METHOD = NodeRpc.COMPARE_TASKS.getFullMethodName();
  private static final String DELIVER_METHOD = NodeRpc.DELIVER.getFullMethodName();
  private static final String REVOCATIONS_METHOD = NodeRpc.EXCHANGE_REVOCATIONS.getFullMethodName();
  private static final int MOST_CALLS_PER_CONNECTION = 32;
  private static final int MIN_SECONDS_BETWEEN_PINGS = 5;

  private final InboundContext inboundContext;
  private final AddressBook addressBook;
  private final RevocationBook revocationBook;
  private final TaskAgreement agreement;
  private final AbusePolicy policy;
  private final RelayServer relayServer;
  private final Member self;
  private final ScheduledExecutorService timer;
  private final PeerTrustManager trustManager;
  private final Server server;
  private final int port;

  /** An inbox that logs nothing about revocation lists. */
  public Inbox(
      InetSocketAddress address,
      Identity identity,
      InboundContext inboundContext,
      AddressBook addressBook,
      Executor executor,
      ScheduledExecutorService timer) {
    this(
        address,
        identity,
        inboundContext,
        addressBook,
        new RevocationBook(identity, NodeLog.ofTexts(line -> {})),
        inboundContext.agreement(),
        executor,
        timer);
  }

  /** Starts to listen; port 0 chooses a free port. */
  public Inbox(
      InetSocketAddress address,
      Identity identity,
      InboundContext inboundContext,
      AddressBook addressBook,
      RevocationBook revocationBook,
      TaskAgreement agreement,
      Executor executor,
      ScheduledExecutorService timer) {
    this.agreement = agreement;
    this.revocationBook = revocationBook;
    this.inboundContext = inboundContext;
    this.addressBook = addressBook;
    this.policy = inboundContext.policy();
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
              + "); stop the process that uses the port, or choose another 'listen'");
    }
  }

  private ServerServiceDefinition service() {
    return ServerInterceptors.intercept(
        ServerServiceDefinition.builder(NodeRpc.NAME)
            .addMethod(NodeRpc.DELIVER, ServerCalls.asyncClientStreamingCall(this::receive))
            .addMethod(
                NodeRpc.EXCHANGE_ADDRESSES,
                ServerCalls.asyncUnaryCall(
                    (request, answers) -> answerAddressExchange(request, answers)))
            .addMethod(
                NodeRpc.EXCHANGE_REVOCATIONS,
                ServerCalls.asyncUnaryCall(
                    (request, answers) -> answerRevocationExchange(request, answers)))
            .addMethod(
                NodeRpc.COMPARE_TASKS,
                ServerCalls.asyncUnaryCall(
                    (request, answers) -> {
                      agreement.compare(CALLER.get(), request, policy.refusals());
                      answers.onNext(agreement.encoded());
                      answers.onCompleted();
                    }))
            .addMethod(
                NodeRpc.RESUME,
                ServerCalls.asyncUnaryCall((request, answers) -> answerResume(request, answers)))
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
    if (isRelayed(metadata)) {
      return relayServer.forward(metadata, call);
    }
    InboundCall inboundCall =
        new InboundCall(inboundContext, CALLER.get(), metadata.withoutSignature(), answers);
    // Where this side closes the call, as on a timeout, only the close handler is called.
    call.setOnCloseHandler(inboundCall::interrupt);
    return inboundCall;
  }

  /** Whether this node only passes the message on. */
  private boolean isRelayed(MessageMetadata metadata) {
    return metadata.receiver().filter(to -> !to.equals(self.peer())).isPresent();
  }

  @Override
  public Optional<StreamObserver<byte[]>> receive(
      MessageMetadata metadata, byte[] header, StreamObserver<byte[]> answers)
      throws MalformedException {
    return verifiedSender(metadata, header)
        .map(sender -> new InboundCall(inboundContext, sender, metadata, answers));
  }

  /**
   * The sender of a relayed message, if a trusted member has signed it that is neither muted nor
   * over its rate.
   */
  private Optional<Member> verifiedSender(MessageMetadata metadata, byte[] header)
      throws MalformedException {
    MessageSignature signature = MessageSignature.parse(metadata.signature().orElse(""));
    Optional<Member> sender =
        signature
            .verifiedSigner(self.peer(), metadata.messageId().orElse(""), header)
            .filter(member -> trustManager.isTrustedMember(signature.certificate()));
    if (sender.isEmpty()) {
      policy
          .refusals()
          .add(
              RefusalKind.INVALID_SIGNATURE,
              "a relayed message has no valid signature of its sender");
    }
    sender.ifPresent(member -> policy.admitted(member.peer(), signature.certificate()));
    return sender.filter(
        member -> policy.mutedSeconds(member.peer()) == 0 && policy.tryTakeToken(member.peer()));
  }

  private void answerAddressExchange(byte[] request, StreamObserver<byte[]> answers) {
    try {
      answers.onNext(addressBook.answerSync(request));
      answers.onCompleted();
    } catch (MalformedException malformed) {
      policy.reportOffence(
          CALLER.get(), RefusalKind.MALFORMED_MESSAGE, "addresses: " + malformed.getMessage());
      answers.onError(Status.INVALID_ARGUMENT.asRuntimeException());
    }
  }

  private void answerRevocationExchange(byte[] request, StreamObserver<byte[]> answers) {
    try {
      revocationBook.learn(request);
      answers.onNext(revocationBook.encoded());
      answers.onCompleted();
    } catch (MalformedException malformed) {
      policy.reportOffence(
          CALLER.get(), RefusalKind.MALFORMED_MESSAGE, "revocations: " + malformed.getMessage());
      answers.onError(Status.INVALID_ARGUMENT.asRuntimeException());
    }
  }

  /**
   * Replies how much of a message this node has; a call for it that is still open here is
   * interrupted first.
   */
  private void answerResume(byte[] request, StreamObserver<byte[]> answers) {
    PeerId caller = CALLER.get().peer();
    try {
      String messageId = new WireInput(request, digest -> null).readText();
      InboundTransfers transfers = inboundContext.transfers();
      transfers.findActive(caller, messageId).ifPresent(InboundTransfers.ActiveTransfer::interrupt);
      WireOutput answer = new WireOutput(weights -> {});
      answer.writeLong(
          transfers.wasReceived(caller, messageId)
              ? NodeRpc.ALL_THERE
              : transfers.receivedWeights(caller, messageId));
      answers.onNext(answer.toBytes());
      answers.onCompleted();
    } catch (MalformedException malformed) {
      policy.reportOffence(
          CALLER.get(), RefusalKind.MALFORMED_MESSAGE, "resume: " + malformed.getMessage());
      answers.onError(Status.INVALID_ARGUMENT.asRuntimeException());
    }
  }

  /** Authenticates the caller by its certificate and adds it to the call's context. */
  private final class AuthInterceptor implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      List<X509Certificate> certificates =
          Tls.peerCertificates(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
      Optional<Member> caller =
          !certificates.isEmpty() && trustManager.admits(certificates)
              ? Member.of(certificates.getFirst())
              : Optional.empty();
      if (caller.isEmpty()) {
        if (certificates.isEmpty()) {
          policy.refusals().add(RefusalKind.NO_IDENTITY, "a call has no certificate");
        }
        return reject(
            call,
            Status.UNAUTHENTICATED.withDescription(
                "the caller has no valid certificate of this network"));
      }
      Member member = caller.get();
      policy.admitted(member.peer(), certificates.getFirst());
      Optional<Status> excess = muteOrLimit(member);
      if (excess.isPresent()) {
        return reject(call, excess.get());
      }
      agreement.heardCall(member.peer(), headers);
      MessageMetadata metadata = MessageMetadata.of(headers);
      if (!isForThisTask(call, headers, metadata)) {
        policy.refuse(member, RefusalKind.OTHER_TASK, "it is for another task");
        call.close(TaskAgreement.refusal(), agreement.trailers());
        return new ServerCall.Listener<>() {};
      }
      Context known =
          Context.current()
              .withValue(CALLER, member)
              .withValue(CERTIFICATES, certificates)
              .withValue(METADATA, metadata);
      ServerCall<Q, A> answered = agreement.answering(call);
      if (call.getMethodDescriptor().getFullMethodName().equals(COLLECT_METHOD)) {
        return Contexts.interceptCall(known, answered, headers, next);
      }
      long began = System.nanoTime();
      Context.CancellableContext context =
          known.withDeadlineAfter(policy.limits().messageMillis(), TimeUnit.MILLISECONDS, timer);
      context.addListener(
          ended -> {
            if (ended.cancellationCause() instanceof TimeoutException) {
              closeTimedOut(call, member, began);
            }
          },
          Runnable::run);
      return Contexts.interceptCall(context, answered, headers, next);
    }

    /** Why a member has to wait before its next message; empty if it may send it now. */
    private Optional<Status> muteOrLimit(Member member) {
      double muted = policy.mutedSeconds(member.peer());
      if (muted > 0) {
        return Optional.of(
            Status.PERMISSION_DENIED.withDescription(
                "the sender is muted for another %.0f s after invalid messages".formatted(muted)));
      }
      if (policy.tryTakeToken(member.peer())) {
        return Optional.empty();
      }
      String limit =
          "more than the limit of %s messages a second"
              .formatted(policy.limits().messagesPerSecond());
      policy.refuse(member, RefusalKind.TOO_OFTEN, limit);
      return Optional.of(Status.RESOURCE_EXHAUSTED.withDescription(limit));
    }

    /**
     * Whether a call may be made by a node of its task. Revocation lists concern all members. While
     * two versions of the task run side by side, only messages for this node itself are refused.
     */
    private boolean isForThisTask(
        ServerCall<?, ?> call, Metadata headers, MessageMetadata metadata) {
      String method = call.getMethodDescriptor().getFullMethodName();
      return agreement.accepts(headers)
          || method.equals(COMPARE_METHOD)
          || method.equals(REVOCATIONS_METHOD)
          || (agreement.isBeside(headers)
              && (!method.equals(DELIVER_METHOD) || isRelayed(metadata)));
    }

    private <Q, A> ServerCall.Listener<Q> reject(ServerCall<Q, A> call, Status status) {
      call.close(status, new Metadata());
      return new ServerCall.Listener<>() {};
    }
  }

  /**
   * Closes a call whose message is not complete in time, so that it does not keep its memory. A
   * timeout is no offence, as this node or the network may have stalled. A call that its sender
   * cancelled earlier is not counted.
   */
  private void closeTimedOut(ServerCall<?, ?> call, Member member, long began) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    if (millis >= policy.limits().messageMillis()) {
      String limit =
          "not complete within the limit of %s s".formatted(policy.limits().messageSeconds());
      policy.refuse(member, RefusalKind.SLOW_MESSAGE, limit);
      call.close(Status.DEADLINE_EXCEEDED.withDescription(limit), new Metadata());
    }
  }

  /** Messages and bytes that this node has relayed. */
  public RelayServer.RelayStats relayStats() {
    return relayServer.stats();
  }

  /** The port that the inbox listens at, or listened at before it was closed. */
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
