package io.kindred.core.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Another Java virtual machine with this one's class path, for tests that one process cannot
 * perform.
 */
public final class ChildJvm {
  private ChildJvm() {}

  /** A process that will run the class with these options. */
  public static ProcessBuilder of(Class<?> main, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return new ProcessBuilder(command);
  }

  /** Everything the process printed, warnings included; it must exit with status 0. */
  public static String output(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    if (code != 0) {
      throw new AssertionError("the machine ended with " + code + ":\n" + output);
    }
    return output;
  }
}
