package io.kindred.node.transport;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;

/** The server's side of a call without a connection: records what is sent, and ends on request. */
public final class FakeCall extends ServerCallStreamObserver<byte[]> {
  private final List<String> answers = new ArrayList<>();
  private Runnable onClose = () -> {};
  private Runnable onCancel = () -> {};

  /** Receipts or first letters of the sent frames, and the final status. */
  public List<String> answers() {
    return answers;
  }

  /** Closes the call as after the server ended it. */
  public void close() {
    onClose.run();
  }

  /** Cancels the call as if the client gave up. */
  public void cancel() {
    onCancel.run();
  }

  @Override
  public void onNext(byte[] frame) {
    answers.add(frame.length == 0 ? "receipt" : Character.toString(frame[0]));
  }

  @Override
  public void onError(Throwable failure) {
    answers.add(Status.fromThrowable(failure).getCode().name());
  }

  @Override
  public void onCompleted() {
    answers.add("completed");
  }

  @Override
  public void setOnCloseHandler(Runnable handler) {
    onClose = handler;
  }

  @Override
  public void setOnCancelHandler(Runnable handler) {
    onCancel = handler;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public void setCompression(String compression) {}

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setOnReadyHandler(Runnable handler) {}

  @Override
  public void disableAutoInboundFlowControl() {}

  @Override
  public void disableAutoRequest() {}

  @Override
  public void request(int count) {}

  @Override
  public void setMessageCompression(boolean enable) {}
}
