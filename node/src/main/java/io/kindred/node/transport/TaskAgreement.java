package io.kindred.node.transport;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.kindred.node.identity.Member;
import java.util.Optional;

/**
 * Lets only nodes of one task exchange messages. Every call carries the fingerprint of the caller's
 * task; a node refuses calls with another one, and both sides log the first difference.
 */
public final class TaskAgreement {
  /** An agreement of nodes that have not named their task, which accepts every call. */
  public static final TaskAgreement NONE = new TaskAgreement(Optional.empty());

  private static final Metadata.Key<String> FINGERPRINT =
      Metadata.Key.of("kindred-task", Metadata.ASCII_STRING_MARSHALLER);

  private final Optional<TaskValues> own;
  private final String fingerprint;

  public TaskAgreement(Optional<TaskValues> own) {
    this.own = own;
    this.fingerprint = own.map(TaskValues::fingerprint).orElse("");
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
    return own.isEmpty() || fingerprint.equals(headers.get(FINGERPRINT));
  }

  /** What a refused caller receives besides the status: the fingerprint of this node's task. */
  public Metadata trailers() {
    Metadata trailers = new Metadata();
    trailers.put(FINGERPRINT, fingerprint);
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
    if (!described.fingerprint().equals(fingerprint)) {
      refusals.add(
          RefusalKind.OTHER_TASK,
          "%s has another task: %s; give both nodes one task file"
              .formatted(other, own.get().firstDifference(described)));
    }
  }

  /**
   * Adds the fingerprint to every call.
   *
   * @param onOtherTask runs when the called node refuses the task
   */
  public ClientInterceptor interceptor(Runnable onOtherTask) {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<Q, A>(next.newCall(method, options)) {
          @Override
          public void start(Listener<A> listener, Metadata headers) {
            own.ifPresent(each -> headers.put(FINGERPRINT, fingerprint));
            super.start(
                new SimpleForwardingClientCallListener<A>(listener) {
                  @Override
                  public void onClose(Status status, Metadata trailers) {
                    if (status.getCode() == Status.Code.FAILED_PRECONDITION
                        && trailers.containsKey(FINGERPRINT)) {
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
