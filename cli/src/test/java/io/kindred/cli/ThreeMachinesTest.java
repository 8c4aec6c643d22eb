package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows docs/tutorial/three-machines.md as written. A machine is a folder; every line of a
 * machine runs in a process that sees only that folder, where the system has mount namespaces. The
 * test replaces host names and ports, and {@code scp} by a command that hands files to the test.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ThreeMachinesTest {
  private static final List<String> MACHINES = List.of("north", "south", "east");
  private static final Pattern BLOCK =
      Pattern.compile("```(sh|yaml)\\n# (?:(\\S+) )?on (\\S+)\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern RIGHT = Pattern.compile("([0-9.]+) % of 400 samples");

  /** The last argument is MACHINE:FOLDER. */
  private static final String SCP =
      """
      #!/bin/sh
      for to; do :; done
      folder=$EXCHANGE/${to%%:*}/${to#*:}
      mkdir -p "$folder"
      while [ $# -gt 1 ]; do cp "$1" "$folder/"; shift; done
      """;

  @TempDir private Path home;
  private final List<Process> nodes = new ArrayList<>();
  private final List<Path> waiting = new ArrayList<>();
  private final SortedMap<String, Integer> ports = new TreeMap<>();
  private boolean isolated;

  @SuppressWarnings("NullAway.Init") // the fields are set before each test
  ThreeMachinesTest() {}

  @BeforeEach
  void machines() throws IOException, InterruptedException {
    script(
        "kindred",
        """
        #!/bin/sh
        exec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx400m --enable-native-access=ALL-UNNAMED \
          --add-exports=java.base/jdk.internal.module=ALL-UNNAMED -cp '%s' io.kindred.cli.Kindred "$@"
        """
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path")));
    script("scp", SCP);
    List<ServerSocket> held = new ArrayList<>();
    for (String name : List.of("north", "south", "east", "alone")) {
      Files.createDirectories(home.resolve(name));
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      held.add(socket);
      ports.put(name, socket.getLocalPort());
    }
    for (ServerSocket each : held) {
      each.close();
    }
    isolated = canIsolate();
  }

  private static boolean canIsolate() throws InterruptedException {
    try {
      return new ProcessBuilder("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  private void script(String name, String text) throws IOException {
    Path file = Files.createDirectories(home.resolve("bin")).resolve(name);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void stopNodes() throws InterruptedException {
    for (Process each : nodes) {
      List<ProcessHandle> all =
          Stream.concat(each.descendants(), Stream.of(each.toHandle())).toList();
      all.forEach(ProcessHandle::destroyForcibly);
      each.waitFor();
    }
  }

  @Test
  void thePageCanBeFollowedLiterally() throws Exception {
    String page =
        Files.readString(DocumentationPages.root().resolve("docs/tutorial/three-machines.md"));
    Matcher block = BLOCK.matcher(page);
    StringBuilder errors = new StringBuilder();
    int blocks = 0;
    while (block.find()) {
      blocks++;
      Path machine = home.resolve(block.group(3));
      if (block.group(1).equals("yaml")) {
        Files.writeString(machine.resolve(block.group(2)), withLocalAddresses(block));
      } else {
        for (String line : block.group(4).strip().lines().toList()) {
          errors.append(follow(block.group(3), line));
        }
      }
    }
    assertThat(blocks).isEqualTo(20);
    for (String machine : MACHINES) {
      assertThat(home.resolve(machine).resolve("deployed/model.json")).isNotEmptyFile();
    }
    assertThat(Files.readAllLines(home.resolve("north/predicted.csv"))).hasSize(401);
    List<Double> right =
        RIGHT.matcher(errors).results().map(each -> Double.valueOf(each.group(1))).toList();
    assertThat(right).hasSize(2);
    // North has two of four classes, so alone it can be right for half of the rows at most.
    assertThat(right.getFirst()).as("together").isGreaterThan(80);
    assertThat(right.getLast()).as("alone").isLessThanOrEqualTo(50);
  }

  private String withLocalAddresses(Matcher block) {
    String text = block.group(4);
    for (String machine : MACHINES) {
      text = text.replace(machine + ":7400", "127.0.0.1:" + ports.get(machine));
    }
    return text.replace("0.0.0.0:7400", "127.0.0.1:" + ports.get(block.group(3)))
        .replace("127.0.0.1:7410", "127.0.0.1:" + ports.get("alone"));
  }

  /** Runs a line and returns what it writes to standard error. */
  private String follow(String machine, String line) throws Exception {
    if (line.startsWith("kindred node start")) {
      Path log = home.resolve(machine).resolve("log-" + nodes.size() + ".txt");
      nodes.add(process(machine, line, log).start());
      waiting.add(log);
      return "";
    }
    if (!line.startsWith("kindred node preflight")) {
      awaitNodes();
    }
    Path log = home.resolve("log.txt");
    Process process = process(machine, line, log).start();
    assertThat(process.waitFor()).as("%s: %s%n%s", machine, line, Files.readString(log)).isZero();
    deliver();
    return Files.readString(log);
  }

  /** All nodes that have been started complete their rounds and deploy a model. */
  private void awaitNodes() throws Exception {
    for (Path log : waiting) {
      Process node = nodes.get(nodes.size() - waiting.size() + waiting.indexOf(log));
      while (!Files.readString(log).contains("the model of round 20 is ")) {
        assertThat(node.waitFor(100, TimeUnit.MILLISECONDS))
            .as("%s ended:%n%s", log, Files.readString(log))
            .isFalse();
      }
    }
    waiting.clear();
  }

  private ProcessBuilder process(String machine, String line, Path log) {
    List<String> command = new ArrayList<>();
    if (isolated) {
      command.addAll(List.of("unshare", "-rm"));
    }
    StringBuilder script = new StringBuilder();
    for (String other : MACHINES) {
      if (isolated && !other.equals(machine)) {
        script.append("mount -t tmpfs none '").append(home.resolve(other)).append("' && ");
      }
    }
    script.append("cd '").append(home.resolve(machine)).append("' && ").append(line);
    command.addAll(List.of("sh", "-c", script.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().merge("PATH", home.resolve("bin") + ":", (path, bin) -> bin + path);
    builder
        .environment()
        .put("KINDRED_HOME", DocumentationPages.root().toAbsolutePath().normalize().toString());
    builder.environment().put("EXCHANGE", home.resolve("exchange").toString());
    return builder;
  }

  /** Brings what a machine has sent to its receiver; no table and no key leaves a machine. */
  private void deliver() throws IOException {
    Path exchange = home.resolve("exchange");
    if (!Files.isDirectory(exchange)) {
      return;
    }
    try (Stream<Path> files = Files.walk(exchange)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file.toString()).doesNotMatch(".*\\.(csv|key)");
        Files.move(
            file, home.resolve(exchange.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Test
  void aMachineSeesOnlyItsOwnFolder() throws Exception {
    assumeTrue(isolated, "this system has no mount namespaces");
    Files.writeString(home.resolve("south/south.csv"), "secret\n");
    Path log = home.resolve("log.txt");
    assertThat(process("south", "cat south.csv", log).start().waitFor()).isZero();
    assertThat(process("north", "cat ../south/south.csv", log).start().waitFor()).isNotZero();
  }
}
