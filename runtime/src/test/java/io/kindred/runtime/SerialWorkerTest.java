package io.kindred.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SerialWorkerTest {
  @Test
  void workIsDoneInOrderOnAnotherThread() {
    SerialWorker worker = new SerialWorker(4);
    List<Integer> done = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      int number = i;
      worker.add(
          () -> {
            done.add(number);
            threads.add(Thread.currentThread());
          });
    }
    worker.await();
    assertThat(done).containsExactlyElementsOf(IntStream.range(0, 1000).boxed().toList());
    assertThat(threads).doesNotContain(Thread.currentThread());
    worker.add(() -> done.add(-1));
    worker.await();
    assertThat(done).endsWith(-1);
  }

  @Test
  void awaitReturnsOnlyWhenTheLastWorkIsDone() {
    SerialWorker worker = new SerialWorker(4);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    List<String> done = new ArrayList<>();
    worker.add(
        () -> {
          begun.countDown();
          awaitLatch(released);
          done.add("slow");
        });
    awaitLatch(begun);
    worker.add(() -> done.add("quick"));
    released.countDown();
    worker.await();
    assertThat(done).containsExactly("slow", "quick");
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFailureIsThrownByTheNextCall() {
    SerialWorker worker = new SerialWorker(1);
    worker.add(
        () -> {
          throw new IllegalArgumentException("broken");
        });
    assertThatThrownBy(worker::await).hasMessage("broken");
    assertThatThrownBy(() -> worker.add(() -> {})).hasMessage("broken");
  }
}
