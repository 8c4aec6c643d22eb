package io.kindred.learning.torch;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Environment variables that make the native library start threads of its own. Workers fill the
 * cores already, and more threads than cores make a step many times slower. The engine's own calls
 * override the variables for each worker; the threads that start while the library is loading
 * remain.
 */
final class ThreadVariables {
  private static final List<String> NAMES =
      List.of("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS");

  private ThreadVariables() {}

  /** One sentence for each harmful value. */
  static List<String> warnings(Map<String, String> environment) {
    return NAMES.stream()
        .flatMap(name -> warning(name, environment.getOrDefault(name, "1")).stream())
        .toList();
  }

  private static Optional<String> warning(String name, String value) {
    // Lists such as 2,1 give the threads of each nesting level; the first level does the harm.
    return value.strip().split(",", 2)[0].equals("1")
        ? Optional.empty()
        : Optional.of(
            name
                + "="
                + value
                + " starts native threads in addition to the workers; unset it or set it to 1");
  }
}
