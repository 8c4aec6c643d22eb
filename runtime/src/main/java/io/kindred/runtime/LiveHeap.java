package io.kindred.runtime;

/**
 * The heap that is in use after a collection. Without one, the heap mostly holds garbage, because
 * the JVM collects only when it has taken all the memory that it may.
 */
public final class LiveHeap {
  /** Objects that only the first collection finds unreachable go with the second. */
  private static final int COLLECTIONS = 2;

  private LiveHeap() {}

  /** Bytes in use after collections of the whole heap, which take time. */
  public static long bytes() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < COLLECTIONS; i++) {
      runtime.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
