package io.kindred.runtime;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.runtime.Workers.Activity;
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
  void whatWorkThrewIsThrownToWhoeverWaits() {
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

  private Future<Object> submit(RuntimeException failure) {
    Supplier<Object> work =
        () -> {
          throw failure;
        };
    return workers.submit(Activity.MIXING, work);
  }
}
