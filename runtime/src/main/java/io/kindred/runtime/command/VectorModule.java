package io.kindred.runtime.command;

import io.kindred.storage.OperatorException;

/**
 * Loads the module of the Vector API, which the JVM does not load by itself while the module is
 * incubating. The option {@code --add-modules} loads it as well, but then the JVM prints a warning
 * on every start, before any code of the program runs and whatever its other options are.
 */
final class VectorModule {
  private static final String NAME = "jdk.incubator.vector";

  private VectorModule() {}

  /**
   * Makes the types of the module visible to the whole program. The JDK uses the same call to load
   * modules such as {@code java.instrument} into a running process; the compiler then treats vector
   * operations as it does after {@code --add-modules}.
   */
  static void load() {
    if (ModuleLayer.boot().findModule(NAME).isPresent()) {
      return;
    }
    try {
      Class.forName("jdk.internal.module.Modules")
          .getMethod("loadModule", String.class)
          .invoke(null, NAME);
    } catch (ReflectiveOperationException e) {
      throw new OperatorException(
          OperatorException.FAILED,
          "the Java module "
              + NAME
              + " cannot be loaded; start the program with its launcher, or add --add-modules "
              + NAME
              + " to the options of java");
    }
  }
}
