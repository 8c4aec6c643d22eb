package io.kindred.core.testing;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks a fact on many generated values. Seeds are counted up from zero, so every run of a test
 * sees the same values; small and large sizes take turns. A failing value is generated again from
 * its own seed with half the size for as long as it keeps failing, and the report ends with the one
 * line that replays it.
 */
public final class Property<T> {
  /** System property that runs one value only, as {@code seed:size}. */
  static final String REPLAY = "kindred.property";

  private static final Purpose PURPOSE = new Purpose("property");
  private static final int LARGEST_SIZE = 64;

  /** Odd, so that every size occurs within as many seeds as there are sizes. */
  private static final int SIZE_STRIDE = 37;

  private final Generator<T> generator;
  private final int runs;

  private Property(Generator<T> generator, int runs) {
    this.generator = generator;
    this.runs = runs;
  }

  /**
   * Makes a value out of random draws; the size bounds lengths, so that a smaller one is simpler.
   */
  public interface Generator<T> {
    T next(RandomStream random, int size);
  }

  /** What must be true of every value; throws where it is not. */
  public interface Fact<T> {
    void check(T value) throws Exception;
  }

  /** Takes the generator; 100 values by default. */
  public static <T> Property<T> forAll(Generator<T> generator) {
    return new Property<>(generator, 100);
  }

  public Property<T> runs(int count) {
    return new Property<>(generator, count);
  }

  public void holds(Fact<? super T> fact) {
    String replay = System.getProperty(REPLAY);
    if (replay != null) {
      int colon = replay.indexOf(':');
      check(
          Long.parseLong(replay.substring(0, colon)),
          Integer.parseInt(replay.substring(colon + 1)),
          fact);
      return;
    }
    for (long seed = 0; seed < runs; seed++) {
      check(seed, 1 + (int) (seed * SIZE_STRIDE % LARGEST_SIZE), fact);
    }
  }

  private void check(long seed, int size, Fact<? super T> fact) {
    Throwable failure = attempt(seed, size, fact);
    if (failure == null) {
      return;
    }
    int smallest = size;
    while (smallest > 1) {
      Throwable smaller = attempt(seed, smallest / 2, fact);
      if (smaller == null) {
        break;
      }
      smallest /= 2;
      failure = smaller;
    }
    throw new AssertionError(report(seed, smallest, failure), failure);
  }

  private @Nullable Throwable attempt(long seed, int size, Fact<? super T> fact) {
    try {
      fact.check(value(seed, size));
      return null;
    } catch (Exception | AssertionError | StackOverflowError failure) {
      return failure;
    }
  }

  private T value(long seed, int size) {
    return generator.next(new RandomStreams(seed).stream(PURPOSE, 0, 0), size);
  }

  private String report(long seed, int size, Throwable failure) {
    return String.format(
        Locale.ROOT,
        "seed %d, size %d, value %s: %s%nreplay: ./x -B -pl %s -am verify -Dtest=%s"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=%d:%d",
        seed,
        size,
        value(seed, size),
        failure.getMessage(),
        Path.of("").toAbsolutePath().getFileName(),
        caller(),
        REPLAY,
        seed,
        size);
  }

  /** The calling test: the first stack frame outside this class. */
  private static String caller() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> !frame.getClassName().equals(Property.class.getName()))
                    .findFirst()
                    .map(
                        frame ->
                            frame.getClassName().replaceFirst("^.*\\.", "")
                                + "#"
                                + frame.getMethodName())
                    .orElse("?"));
  }
}
