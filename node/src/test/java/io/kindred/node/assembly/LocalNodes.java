package io.kindred.node.assembly;

import io.kindred.core.peer.PeerId;
import io.kindred.learning.data.DataFiles;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.runtime.StopSignal;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Three nodes of one small experiment in this process, in folders as an operator lays them out. */
public final class LocalNodes {
  public static final int PEERS = 3;
  public static final String EXPERIMENT =
      """
      method: {name: dfedavgm, timeout: {seconds: 100}}
      dataset: {name: glyphs, samples: 180, testSamples: 60}
      model: softmax
      partition: {name: dirichlet, alpha: 0.5, minimum: 20}
      topology: complete
      peers: 3
      rounds: 3
      training: {batch: 16}
      workers: 1
      """;

  private final Path home;

  public LocalNodes(Path home) {
    this.home = home;
  }

  public Path configuration(int peer, List<Integer> ports) throws IOException {
    StringBuilder neighbours = new StringBuilder();
    for (int other = 0; other < PEERS; other++) {
      if (other != peer) {
        neighbours.append("  %d: 127.0.0.1:%d\n".formatted(other, ports.get(other)));
      }
    }
    Path folder = Files.createDirectories(home.resolve("node-" + peer));
    return Files.writeString(
        folder.resolve("node.yaml"),
        "experiment: ../small.yaml\npeer: %d\nlisten: 127.0.0.1:%d\nrecord: true\nneighbours:\n%s"
            .formatted(peer, ports.get(peer), neighbours));
  }

  public static List<Integer> freePorts() throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < PEERS; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      held.add(socket);
      ports.add(socket.getLocalPort());
    }
    for (ServerSocket each : held) {
      each.close();
    }
    return ports;
  }

  public void identities(Authority authority) {
    for (int peer = 0; peer < PEERS; peer++) {
      Path folder = home.resolve("node-" + peer).resolve("identity");
      Identity.create(folder);
      authority.issue(folder, new Member("small", new PeerId(peer)));
    }
  }

  /** Runs one node per peer in this process until all nodes have completed all rounds. */
  public void completeAllRounds() throws Exception {
    identities(Authority.create(home.resolve("ca")));
    List<Integer> ports = freePorts();
    CountDownLatch done = new CountDownLatch(PEERS);
    StopSignal stop = new StopSignal();
    try (ExecutorService threads = Executors.newFixedThreadPool(PEERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int peer = 0; peer < PEERS; peer++) {
        NodeRun node = new NodeRun(configuration(peer, ports));
        running.add(
            threads.submit(
                () -> {
                  node.execute(
                      stop,
                      line -> {
                        if (line.startsWith("all 3 rounds")) {
                          done.countDown();
                        }
                      },
                      DataFiles.NONE);
                  return peer(node);
                }));
      }
      done.await();
      stop.request();
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private static int peer(NodeRun node) {
    return Json.tree(node.status()).get("peer").asInt();
  }
}
