package io.kindred.node.transport;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.node.identity.Member;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Lets only nodes of one task exchange messages. Every call carries the fingerprint of the caller's
 * task; a node refuses calls with another one, and both sides log the first difference. While two
 * versions of one task run side by side, nodes of both still exchange addresses and relay messages.
 */
public final class TaskAgreement {
  private final Optional<TaskValues> own;
  private final Optional<Digest> digest;
  private final String fingerprint;
  private final MemberVersions versions;

  public TaskAgreement(Optional<TaskValues> own, WireSettings wire) {
    this(own, wire, System::currentTimeMillis);
  }

  TaskAgreement(Optional<TaskValues> own, WireSettings wire, LongSupplier clockMillis) {
    this.own = own;
    this.digest = own.map(each -> Digest.of(each.bytes()));
    this.fingerprint = own.map(TaskValues::fingerprint).orElse("");
    this.versions = new MemberVersions(own, fingerprint, wire, clockMillis);
  }

  /** An agreement of a node that has not named its task, which accepts every call. */
  public static TaskAgreement none() {
    return new TaskAgreement(Optional.empty(), WireSettings.DEFAULTS);
  }

  /** Sets who hears that a member has another version of the transport or of the task. */
  public void onNews(BiConsumer<PeerId, String> listener) {
    versions.onNews(listener);
  }

  /** Name, version and fingerprint of the own task in one line. */
  public String summary() {
    return own.map(
            each ->
                "task %s, version %s, fingerprint %s"
                    .formatted(each.name(), each.version(), fingerprint))
        .orElse("no task");
  }

  /** The own task for another node to compare. */
  public byte[] encoded() {
    return own.map(TaskValues::bytes).orElse(new byte[0]);
  }

  /** Whether the headers of a call name this node's task. */
  public boolean accepts(Metadata headers) {
    return own.isEmpty() || fingerprint.equals(headers.get(MemberVersions.FINGERPRINT));
  }

  /** Whether the header of a message names this node's task, or none, as earlier versions do. */
  public boolean accepts(Header header) {
    return own.isEmpty() || header.task().isEmpty() || header.task().equals(digest);
  }

  /** Whether a call is of another version of the task, which runs side by side with this one. */
  public boolean isBeside(Metadata headers) {
    return versions.isBeside(headers);
  }

  /** Remembers the versions that a caller names. */
  public void heardCall(PeerId caller, Metadata headers) {
    versions.heard(caller, headers, true);
  }

  /** Adds this node's versions to the answer of a call. */
  public <Q, A> ServerCall<Q, A> answering(ServerCall<Q, A> call) {
    return new SimpleForwardingServerCall<>(call) {
      @Override
      public void sendHeaders(Metadata headers) {
        versions.addTo(headers);
        super.sendHeaders(headers);
      }
    };
  }

  /** The versions of the transport that this node speaks now. */
  public WireVersions spoken() {
    return versions.spoken();
  }

  /** A header in the newest version of the transport that a member speaks. */
  public Header addressed(Header header, PeerId to) {
    int version = versions.wireFor(to);
    return header.inVersion(version, version >= WireVersions.WITH_TASK ? digest : Optional.empty());
  }

  /** Whether a member may have this node's task, as far as it has said. */
  public boolean mayHaveOwnTask(PeerId member) {
    return versions.mayHaveOwnTask(member);
  }

  /** Which versions the members have. */
  public VersionReport report() {
    return versions.report();
  }

  /** What a refused caller receives besides the status: the fingerprint of this node's task. */
  public Metadata trailers() {
    Metadata trailers = new Metadata();
    versions.addTo(trailers);
    return trailers;
  }

  /** The status of a refused call. */
  public static Status refusal() {
    return Status.FAILED_PRECONDITION.withDescription(
        "the nodes have different tasks; the log of either names the first difference");
  }

  /** Compares the task of another member with the own one and logs the first difference. */
  public void compare(Member other, byte[] theirs, Refusals refusals) {
    if (own.isEmpty()) {
      return;
    }
    TaskValues described = TaskValues.parse(theirs);
    boolean otherVersion =
        described.name().equals(own.get().name()) && described.version() != own.get().version();
    if (otherVersion && versions.isBeside(TaskClaim.of(described))) {
      versions.tell(
          other.peer(),
          "version %d of task %s: %s"
              .formatted(
                  described.version(), described.name(), own.get().firstDifference(described)));
    } else if (!described.fingerprint().equals(fingerprint)) {
      refusals.add(
          RefusalKind.OTHER_TASK,
          "%s has another task: %s; give both nodes one task file"
              .formatted(other, own.get().firstDifference(described)));
    }
  }

  /**
   * Adds this node's versions to every call to a member, and remembers those in its answers.
   *
   * @param onOtherTask runs when the called node has another version of the task, or refuses it
   */
  public ClientInterceptor interceptor(PeerId called, Runnable onOtherTask) {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<Q, A>(next.newCall(method, options)) {
          @Override
          public void start(Listener<A> listener, Metadata headers) {
            versions.addTo(headers);
            super.start(
                new SimpleForwardingClientCallListener<A>(listener) {
                  @Override
                  public void onHeaders(Metadata answered) {
                    versions.heard(called, answered, false);
                    if (versions.isBeside(answered)) {
                      onOtherTask.run();
                    }
                    super.onHeaders(answered);
                  }

                  @Override
                  public void onClose(Status status, Metadata trailers) {
                    versions.heard(called, trailers, false);
                    if (status.getCode() == Status.Code.FAILED_PRECONDITION
                        && !accepts(trailers)
                        && trailers.containsKey(MemberVersions.FINGERPRINT)) {
                      onOtherTask.run();
                    }
                    super.onClose(status, trailers);
                  }
                },
                headers);
          }
        };
      }
    };
  }
}
