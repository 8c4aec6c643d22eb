package io.kindred.node.transport;

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
import io.kindred.core.PeerId;
import io.kindred.files.OperatorException;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Seal;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
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
  private static final Context.Key<List<X509Certificate>> SHOWN = Context.key("certificates");
  private static final Context.Key<Slip> SLIP = Context.key("slip");
  private static final String COLLECT = PostalService.COLLECT.getFullMethodName();
  private static final int MOST_CALLS_PER_CONNECTION = 32;
  private static final int LEAST_SECONDS_BETWEEN_PINGS = 5;

  private final Wire wire;
  private final Layouts layouts;
  private final Arrivals arrivals;
  private final AddressBook book;
  private final Conduct conduct;
  private final Ledger ledger;
  private final Room room;
  private final Relay relay;
  private final Member self;
  private final ScheduledExecutorService timer;
  private final Gatekeeper gatekeeper;
  private final Server server;
  private final int port;

  /** Opens the door; port 0 takes any that is free. */
  public Inbox(
      InetSocketAddress address,
      Identity identity,
      Wire wire,
      Layouts layouts,
      Arrivals arrivals,
      AddressBook book,
      Conduct conduct,
      Executor executor,
      ScheduledExecutorService timer) {
    this.wire = wire;
    this.layouts = layouts;
    this.arrivals = arrivals;
    this.book = book;
    this.conduct = conduct;
    this.room = Room.ofMemory(layouts.mostBytes());
    this.ledger = new Ledger(conduct.limits(), room, System::nanoTime);
    this.self = identity.member();
    this.timer = timer;
    Refusals refusals = conduct.refusals();
    gatekeeper = new Gatekeeper(identity, refusals);
    relay = new Relay(conduct.limits(), gatekeeper::admits);
    try {
      server =
          NettyServerBuilder.forAddress(address)
              .protocolNegotiator(new Handshakes(Tls.server(identity, gatekeeper), refusals))
              .addService(service())
              .executor(executor)
              .maxInboundMessageSize(PostalService.MOST_FRAME_BYTES)
              .flowControlWindow(PostalService.WINDOW_BYTES)
              .maxConcurrentCallsPerConnection(MOST_CALLS_PER_CONNECTION)
              .permitKeepAliveTime(LEAST_SECONDS_BETWEEN_PINGS, TimeUnit.SECONDS)
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
        ServerServiceDefinition.builder(PostalService.NAME)
            .addMethod(PostalService.DELIVER, ServerCalls.asyncClientStreamingCall(this::receive))
            .addMethod(
                PostalService.ACQUAINT,
                ServerCalls.asyncUnaryCall((question, answers) -> acquaint(question, answers)))
            .addMethod(
                PostalService.RESUME,
                ServerCalls.asyncUnaryCall((question, answers) -> resume(question, answers)))
            .addMethod(
                PostalService.COLLECT,
                ServerCalls.asyncBidiStreamingCall(
                    frames ->
                        relay.open(
                            CALLER.get().peer(),
                            SHOWN.get(),
                            (ServerCallStreamObserver<byte[]>) frames)))
            .addMethod(
                PostalService.ECHO,
                ServerCalls.asyncUnaryCall(
                    (load, answers) -> {
                      answers.onNext(PostalService.RECEIPT);
                      answers.onCompleted();
                    }))
            .build(),
        new Introduction());
  }

  private StreamObserver<byte[]> receive(StreamObserver<byte[]> answers) {
    Slip slip = SLIP.get();
    ServerCallStreamObserver<byte[]> call = (ServerCallStreamObserver<byte[]>) answers;
    if (slip.to().filter(to -> !to.equals(self.peer())).isPresent()) {
      return relay.pass(slip, call);
    }
    Reception reception = new Reception(this, CALLER.get(), slip.unsealed(), answers);
    // A call that this side ends, as for a slow one, is nowhere else told to be over.
    call.setOnCloseHandler(reception::breakOff);
    return reception;
  }

  @Override
  public Optional<StreamObserver<byte[]>> receive(
      Slip slip, byte[] header, StreamObserver<byte[]> answers) throws MalformedException {
    return sealedBy(slip, header).map(sender -> new Reception(this, sender, slip, answers));
  }

  /** Whose message it is that somebody handed on, if one of ours sealed it and may be heard. */
  private Optional<Member> sealedBy(Slip slip, byte[] header) throws MalformedException {
    Seal seal = Seal.parse(slip.seal().orElse(""));
    Optional<Member> sender =
        seal.of(self.peer(), slip.number().orElse(""), header)
            .filter(member -> gatekeeper.vouchesFor(seal.certificate()));
    if (sender.isEmpty()) {
      conduct.refusals().add("false-seal", "a message that was handed on without a valid seal");
    }
    return sender.filter(
        member -> conduct.mutedSeconds(member.peer()) == 0 && conduct.takesTurn(member.peer()));
  }

  private void acquaint(byte[] question, StreamObserver<byte[]> answers) {
    try {
      answers.onNext(book.answer(question));
      answers.onCompleted();
    } catch (MalformedException malformed) {
      conduct.offence(CALLER.get(), "malformed-message", "addresses: " + malformed.getMessage());
      answers.onError(Status.INVALID_ARGUMENT.asRuntimeException());
    }
  }

  /** How much is here of a message whose connection broke for its sender, if not yet for us. */
  private void resume(byte[] question, StreamObserver<byte[]> answers) {
    PeerId caller = CALLER.get().peer();
    try {
      String number = new WireInput(question, digest -> null).readText();
      ledger.find(caller, number).ifPresent(Reception::breakOff);
      WireOutput answer = new WireOutput(weights -> {});
      answer.writeLong(
          ledger.knows(caller, number) ? PostalService.ALL_THERE : ledger.progress(caller, number));
      answers.onNext(answer.toBytes());
      answers.onCompleted();
    } catch (MalformedException malformed) {
      conduct.offence(CALLER.get(), "malformed-message", "resume: " + malformed.getMessage());
      answers.onError(Status.INVALID_ARGUMENT.asRuntimeException());
    }
  }

  /** Puts who the certificate says is calling beside the call. */
  private final class Introduction implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      List<X509Certificate> shown =
          Tls.shown(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
      Optional<Member> caller =
          !shown.isEmpty() && gatekeeper.admits(shown)
              ? Member.of(shown.getFirst())
              : Optional.empty();
      if (caller.isEmpty()) {
        if (shown.isEmpty()) {
          conduct.refusals().add("no-identity", "a call without a certificate");
        }
        return hangUp(call, Status.UNAUTHENTICATED.withDescription("who calls?"));
      }
      Member member = caller.get();
      double muted = conduct.mutedSeconds(member.peer());
      if (muted > 0) {
        return hangUp(
            call,
            Status.PERMISSION_DENIED.withDescription(
                "not heard for another %.0f s after wrong messages".formatted(muted)));
      }
      if (!conduct.takesTurn(member.peer())) {
        conduct.refusals().add("too-often", "message of " + member + ": too many a second");
        return hangUp(call, Status.RESOURCE_EXHAUSTED.withDescription("too many a second"));
      }
      Context known =
          Context.current()
              .withValue(CALLER, member)
              .withValue(SHOWN, shown)
              .withValue(SLIP, Slip.of(headers));
      if (call.getMethodDescriptor().getFullMethodName().equals(COLLECT)) {
        return Contexts.interceptCall(known, call, headers, next);
      }
      long began = System.nanoTime();
      Context.CancellableContext context =
          known.withDeadlineAfter(limits().messageMillis(), TimeUnit.MILLISECONDS, timer);
      context.addListener(
          ended -> {
            if (ended.cancellationCause() instanceof TimeoutException) {
              slow(call, member, began);
            }
          },
          Runnable::run);
      return Contexts.interceptCall(context, call, headers, next);
    }

    private <Q, A> ServerCall.Listener<Q> hangUp(ServerCall<Q, A> call, Status status) {
      call.close(status, new Metadata());
      return new ServerCall.Listener<>() {};
    }
  }

  /**
   * Whoever begins a message and does not end it must not keep the room for it. That is no offence:
   * this node or the network may have stood still. A sender that gave up before counts for nothing.
   */
  private void slow(ServerCall<?, ?> call, Member member, long began) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    if (millis >= limits().messageMillis()) {
      conduct.refusals().add("slow-message", "message of " + member + ": not complete in time");
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
    return conduct.limits();
  }

  Arrivals arrivals() {
    return arrivals;
  }

  Conduct conduct() {
    return conduct;
  }

  Ledger ledger() {
    return ledger;
  }

  /** For messages that are not complete yet, under way or broken off. */
  Room room() {
    return room;
  }

  /** What was handed on to others. */
  public Relay.Told relayed() {
    return relay.told();
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
