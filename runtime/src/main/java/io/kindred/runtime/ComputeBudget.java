package io.kindred.runtime;

/**
 * How far workers may compute ahead of virtual time.
 *
 * @param mostResultBytes what results may take that are being computed or wait
 * @param leastTickets tickets that may be open whatever their results take, so that no core is idle
 */
public record ComputeBudget(long mostResultBytes, int leastTickets) {
  private static final int HEAP_SHARE_DIVISOR = 32;
  private static final int LEAST_PER_CORE = 2;

  /** A share of the heap of this process. It changes no result. */
  public static ComputeBudget ofThisProcess() {
    Runtime runtime = Runtime.getRuntime();
    return new ComputeBudget(
        runtime.maxMemory() / HEAP_SHARE_DIVISOR, LEAST_PER_CORE * runtime.availableProcessors());
  }
}
