package io.kindred.benchmarks;

import io.kindred.core.peer.PeerId;
import io.kindred.learning.data.DataFiles;
import io.kindred.node.assembly.NodeRun;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Validity;
import io.kindred.runtime.StopSignal;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.JsonNode;

/**
 * What three honest nodes do about one hostile member that has a valid certificate: for each kind
 * of hostile behaviour what it is answered, what the nodes refuse and log, for how long they mute
 * it, and how accurate the honest nodes are at the end. The first row is without a hostile member.
 */
public final class HostileMembers {
  private static final int HONEST = 3;
  private static final int HOSTILE = 66;
  static final int ROUNDS = 25;

  private static final String GOSSIP = "{name: dfedavgm, weights: samples, timeout: {seconds: 3}}";
  private static final String OVERLAY =
      "{name: semantic-dfl, pull: {least: 1}, discovery: {name: overlay, zoneSize: 4, hopSeconds:"
          + " 0.2, maintenance: {leaseSeconds: 5}}}";

  /** What a hostile member does to one node. */
  private interface Behaviour {
    void against(HostileAttack attack) throws Exception;
  }

  private record Row(String name, String method, Behaviour behaviour) {
    Row(String name, Behaviour behaviour) {
      this(name, GOSSIP, behaviour);
    }
  }

  private final Path home;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private HostileMembers(Path home) {
    this.home = home;
  }

  public static void main(String[] arguments) throws Exception {
    List<Row> rows =
        List.of(
            new Row("nobody", attack -> {}),
            new Row("garbage", attack -> attack.repeat(5, each -> attack.sendRaw(garbage(200)))),
            new Row(
                "unknown version byte", attack -> attack.repeat(5, each -> attack.sendVersion(9))),
            new Row(
                "no message number", attack -> attack.repeat(5, each -> attack.sendUnnumbered())),
            new Row("replay", HostileAttack::replay),
            new Row(
                "NaN weights", attack -> attack.repeat(5, each -> attack.send(1, Float.NaN, 1))),
            new Row("huge weights", attack -> attack.repeat(5, each -> attack.send(1, 1e6f, 1))),
            new Row("oversized", attack -> attack.repeat(5, each -> attack.sendOversized())),
            new Row("half-open messages", HostileAttack::halfOpen),
            new Row("flood", HostileAttack::flood),
            new Row("other task", HostileAttack::otherTask),
            new Row("silent", HostileAttack::join),
            new Row("round liar", HostileAttack::claimLastRound),
            new Row("count liar", attack -> attack.everyRound(3e38)),
            new Row("count liar within the cap", attack -> attack.everyRound(1e9)),
            new Row("second certificate", HostileAttack::askForSecondCertificate),
            new Row("revoked", HostileAttack::sendUntilRevoked),
            new Row("nobody, in an overlay", OVERLAY, attack -> {}),
            new Row(
                "forged proof",
                OVERLAY,
                attack -> attack.repeat(5, each -> attack.sendForgedProof())));
    System.out.printf(
        "| behaviour | answered | refused by node 0 | muted for | rounds | accuracy of honest nodes |"
            + " first log line |%n|---|---|---|---|---|---|---|%n");
    for (Row row : rows) {
      if (arguments.length == 0 || Arrays.asList(arguments).contains(row.name())) {
        new HostileMembers(Files.createTempDirectory("hostile")).measure(row);
      }
    }
    System.exit(0);
  }

  private static byte[] garbage(int bytes) {
    byte[] random = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(random);
    return random;
  }

  private static List<Integer> freePorts() throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < HONEST; i++) {
      held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      ports.add(held.getLast().getLocalPort());
    }
    for (ServerSocket each : held) {
      each.close();
    }
    return ports;
  }

  private static String table(int owner) {
    Random random = new Random(owner);
    StringBuilder rows = new StringBuilder("a,b,c,label\n");
    List<String> classes = List.of("fern", "iris", "lily");
    for (int i = 0; i < 120; i++) {
      int kind = random.nextInt(5) < 3 ? owner % 3 : random.nextInt(3);
      for (int column = 0; column < 3; column++) {
        double mean = column == kind ? 6.5 : 4;
        rows.append(String.format(Locale.ROOT, "%.3f,", mean + 1.3 * random.nextGaussian()));
      }
      rows.append(classes.get(kind)).append('\n');
    }
    return rows.toString();
  }

  private Path node(Authority authority, int peer, List<Integer> ports, String task)
      throws IOException {
    Path folder = Files.createDirectories(home.resolve("node-" + peer));
    Identity.create(folder.resolve("identity"));
    authority.issue(folder.resolve("identity"), new Member("plants", new PeerId(peer)));
    Files.writeString(folder.resolve("mine.csv"), table(peer));
    Files.writeString(folder.resolve("plants.task.yaml"), task);
    StringBuilder neighbours = new StringBuilder();
    for (int other = 0; other < HONEST; other++) {
      if (other != peer) {
        neighbours.append("%d: 127.0.0.1:%d, ".formatted(other, ports.get(other)));
      }
    }
    return Files.writeString(
        folder.resolve("node.yaml"),
        """
        task: plants.task.yaml
        data: {name: csv, file: mine.csv}
        listen: 127.0.0.1:%d
        gatherSeconds: 30
        sendSeconds: 3
        limits: {messageSeconds: 5, messagesPerSecond: 100}
        neighbours: {%s}
        """
            .formatted(ports.get(peer), neighbours));
  }

  static String task(int rounds) {
    return task(rounds, GOSSIP);
  }

  private static String task(int rounds, String method) {
    return """
      name: plants
      inputs:
        columns: [{name: a, mean: 5, deviation: 2}, {name: b, mean: 5, deviation: 2}, {name: c, mean: 5, deviation: 2}]
      classes: [fern, iris, lily]
      method: %s
      model: softmax
      training: {batch: 8, learningRate: 0.1}
      rounds: %d
      roundSeconds: 0.7
      heldOut: {test: 0.5}
      """
        .formatted(method, rounds);
  }

  static JsonNode status(Path file) throws IOException {
    Path status = file.resolveSibling("run/status.json");
    return Json.tree(Files.exists(status) ? Files.readString(status) : "{}");
  }

  private Identity hostileIdentity(Authority authority) {
    Path hostile = home.resolve("hostile");
    Identity.create(hostile);
    authority.issueIndexed(
        home.resolve("ca"),
        hostile,
        new Member("plants", new PeerId(HOSTILE)),
        Validity.ofDays(1),
        false);
    return Identity.read(hostile);
  }

  private static double meanAccuracy(List<Path> files) throws IOException {
    double accuracy = 0;
    for (Path file : files) {
      List<String> lines = Files.readAllLines(file.resolveSibling("run/metrics.jsonl"));
      accuracy += Json.tree(lines.getLast()).path("accuracy").asDouble(Double.NaN) / HONEST;
    }
    return accuracy;
  }

  private void measure(Row row) throws Exception {
    Authority authority = Authority.create(home.resolve("ca"));
    String task = task(ROUNDS, row.method());
    List<Integer> ports = freePorts();
    List<Path> files = new ArrayList<>();
    for (int peer = 0; peer < HONEST; peer++) {
      files.add(node(authority, peer, ports, task));
    }
    Identity hostile = hostileIdentity(authority);
    List<String> log = new CopyOnWriteArrayList<>();
    StopSignal stop = new StopSignal();
    List<Future<?>> ended = new ArrayList<>();
    for (Path file : files) {
      NodeRun run = new NodeRun(file);
      ended.add(
          threads.submit(
              () -> {
                run.execute(
                    stop, file.equals(files.getFirst()) ? log::add : line -> {}, DataFiles.NONE);
                return file;
              }));
    }
    for (Path file : files) {
      awaitRound(file, 2);
    }
    HostileAttack attack =
        new HostileAttack(
            hostile,
            home.resolve("ca"),
            ports,
            files,
            task,
            () -> log.stream().anyMatch(line -> line.contains("peer 66 is a neighbour now")));
    row.behaviour().against(attack);
    // The status is written every second.
    new StopSignal().await(1_500);
    JsonNode after = status(files.getFirst());
    for (Path file : files) {
      awaitRound(file, ROUNDS);
    }
    attack.close();
    stop.request();
    for (Future<?> each : ended) {
      each.get();
    }
    JsonNode offence = after.path("offences").path(Integer.toString(HOSTILE));
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s %s | %.0f s | %s | %.3f | %s |%n",
        row.name(),
        attack.answers(),
        after.path("refused"),
        after.path("counts"),
        offence.path("mutedSeconds").asDouble(0),
        status(files.getFirst()).path("totals").path("round").asInt(),
        meanAccuracy(files),
        log.stream().filter(line -> line.startsWith("refused")).findFirst().orElse("none"));
  }

  static void awaitRound(Path file, int round) throws Exception {
    StopSignal never = new StopSignal();
    while (status(file).path("totals").path("round").asInt(0) < round) {
      never.await(50);
    }
  }
}
