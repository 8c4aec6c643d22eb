package io.kindred.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.runtime.Workers.Activity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private final Workers workers =
      new Workers(
          Runnable::run,
          () -> {
            throw new IllegalStateException("nothing here is trained");
          },
          () -> 0);

  @Test
  void anExceptionOfTheWorkIsThrownToTheWaitingThread() {
    Future<Object> work = submit(new IllegalArgumentException("wrong sizes"));

    assertThatThrownBy(() -> workers.await(work))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("wrong sizes");
  }

  @Test
  void workThatFoundNoMemorySaysSoAndNotThatWorkFailed() {
    OutOfMemoryError full = new OutOfMemoryError("Java heap space");
    Supplier<Object> work =
        () -> {
          throw full;
        };
    Future<Object> submitted = workers.submit(Activity.MIXING, work);

    assertThatThrownBy(() -> workers.await(submitted)).isSameAs(full);
  }

  private record Doubled(int number) implements PureFunction.Answer {}

  /** Doubles a number, unless it is negative. */
  private record Twice(int number) implements PureFunction {
    @Override
    public Answer apply() {
      if (number < 0) {
        throw new IllegalArgumentException("negative");
      }
      return new Doubled(2 * number);
    }

    @Override
    public long operations() {
      return 1;
    }
  }

  private List<Object> callbacksOf(int number) {
    List<Object> called = new ArrayList<>();
    workers.submit(
        new PeerId(0),
        new Ticket.Call(new Twice(number)),
        called::add,
        failure -> called.add(String.valueOf(failure.getMessage())));
    return called;
  }

  @Test
  void aPureFunctionNeedsNoTrainerOnAnyThread() {
    Ticket ticket = new Ticket.Call(new Twice(21));
    Result answer = new Result.Answered(new Doubled(42));

    assertThat(workers.await(workers.submit(new PeerId(0), ticket))).isEqualTo(answer);
    assertThat(workers.await(workers.runInline(new PeerId(0), ticket))).isEqualTo(answer);
  }

  @Test
  void aShellIsCalledBackOnceWithTheResultOrWithTheFailure() {
    assertThat(callbacksOf(4)).containsExactly(new Result.Answered(new Doubled(8)));
    assertThat(callbacksOf(-1)).containsExactly("negative");
  }

  private Future<Object> submit(RuntimeException failure) {
    Supplier<Object> work =
        () -> {
          throw failure;
        };
    return workers.submit(Activity.MIXING, work);
  }
}
