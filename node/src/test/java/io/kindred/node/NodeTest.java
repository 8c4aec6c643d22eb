package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.clustered.FedSpd;
import io.kindred.methods.clustered.FinalPhase;
import io.kindred.methods.clustered.PrivacySettings;
import io.kindred.methods.contract.KeptVelocities;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.contract.TrainingBuilder;
import io.kindred.methods.discovery.ViewDiscovery;
import io.kindred.methods.mixing.Dpfl;
import io.kindred.methods.personal.Ditto;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.GossipState;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.node.identity.Revocations;
import io.kindred.node.identity.Validity;
import io.kindred.node.recording.Replay;
import io.kindred.node.state.StateFiles;
import io.kindred.protocol.discovery.SketchForm;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.discovery.ViewSettings;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that talk over real connections, all in this process. */
@Timeout(120)
class NodeTest {
  @TempDir private Path home;

  private static void awaitDone(Node node) throws InterruptedException {
    assertThat(node.awaitDone(60, TimeUnit.SECONDS)).isTrue();
    assertThat(node.failure()).isEmpty();
  }

  @Test
  void threeNodesGoAllRoundsAndMixTheSameModels() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 3, 4)) {
      network.start();
      for (Node node : network.nodes()) {
        awaitDone(node);
        assertThat(node.status().exchange().totals().round()).isEqualTo(4);
      }
      long model = network.peerFactory().architecture().layout().size() * 4L;
      for (Node node : network.nodes()) {
        // Each round one model to each of two neighbours; a repeated one would show here.
        assertThat(node.status().exchange().totals().sentModel()).isEqualTo(4 * 2 * model);
        assertThat(node.status().exchange().totals().failedSends()).isZero();
        assertThat(node.status().misconduct().refused()).isEmpty();
      }
    }
    // On a complete graph with equal shares, mixing makes all models the same up to rounding.
    List<float[]> last = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      last.add(lastWeights(3, 4, number));
    }
    for (int i = 0; i < last.get(0).length; i++) {
      assertThat(last.get(1)[i]).isCloseTo(last.get(0)[i], within(1e-5f));
      assertThat(last.get(2)[i]).isCloseTo(last.get(0)[i], within(1e-5f));
    }
  }

  @Test
  void aServerAndItsClientsGoAllRounds() throws InterruptedException {
    try (TinyNetwork network =
        new TinyNetwork(home, 2, 3, new FedAvg(0, RoundSettings.of(TimeoutPolicy.of(60))))) {
      network.start();
      for (Node node : network.nodes()) {
        awaitDone(node);
      }
      long model = network.peerFactory().architecture().layout().size() * 4L;
      assertThat(network.node(2).status().exchange().totals().sentModel())
          .isEqualTo((3 + 1) * 2 * model);
      assertThat(network.node(0).status().exchange().totals().sentModel()).isEqualTo(3 * model);
    }
  }

  @Test
  void nodesThatAnnounceTheirClustersSendModelsOnlyWithinThem() throws InterruptedException {
    FedSpd method =
        new FedSpd(
            2,
            FedSpd.Variant.PAPER,
            0,
            FinalPhase.asInRounds(),
            false,
            FedSpd.Update.TRAINED,
            FedSpd.Start.APART,
            FedSpd.SendTo.SAME_CLUSTER,
            new PrivacySettings(0, 0.01, 1, 1, PrivacySettings.ClipTarget.WEIGHTS),
            TimeoutPolicy.of(600),
            0);
    int rounds = 4;
    try (TinyNetwork network = new TinyNetwork(home, 3, rounds, method)) {
      network.start();
      long sent = 0;
      for (Node node : network.nodes()) {
        awaitDone(node);
        assertThat(node.status().exchange().totals().round()).isEqualTo(rounds);
        assertThat(node.status().misconduct().refused()).isEmpty();
        sent += node.status().exchange().totals().sentModel();
      }
      long model = network.peerFactory().architecture().layout().size() * 4L;
      // Of three peers two or three train the same of two clusters: two or six models a round.
      assertThat(sent / model).isBetween(rounds * 2L, rounds * 6L - 1);
      assertThat(sent % (2 * model)).isZero();
    }
  }

  @Test
  void nodesFindTheirPartnersByViews() throws InterruptedException {
    SketchRule sketch = new SketchRule(SketchRule.Subject.CHANGE, SketchForm.INT8, 64, 0);
    ViewSettings views = new ViewSettings(8, 8, 4, 6, 3, 10, 0.5, 0.8, true, 40, 3, 2, sketch);
    Dpfl method =
        new Dpfl(
            2,
            1,
            Dpfl.SelectionSplit.TRAIN,
            TimeoutPolicy.of(60),
            0,
            new PartnerSettings(new ViewDiscovery(views), 2));
    try (TinyNetwork network = new TinyNetwork(home, 4, 3, method)) {
      network.start();
      for (Node node : network.nodes()) {
        awaitDone(node);
        assertThat(node.status().exchange().totals().round()).isEqualTo(3);
        assertThat(node.status().exchange().totals().sentModel()).isPositive();
        assertThat(node.status().misconduct().refused()).isEmpty();
      }
    }
  }

  /** Such a server keeps models for others and deploys none itself. */
  @Test
  void aServerThatDeploysNothingIsDoneAfterTheLastRound() throws InterruptedException {
    Ditto ditto = new Ditto(0.3, Aggregation.SERVER, RoundSettings.of(TimeoutPolicy.of(60)));
    try (TinyNetwork network = new TinyNetwork(home, 2, 2, ditto)) {
      network.start();
      for (Node node : network.nodes()) {
        awaitDone(node);
        assertThat(node.status().progress().state()).isEqualTo(NodeStatus.State.DONE);
      }
    }
  }

  @Test
  void whoKnowsOneMemberGetsToKnowTheOthers() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 3, 1)) {
      network.startKnowing(0);
      while (network.nodes().stream().anyMatch(node -> node.status().exchange().known() < 2)) {
        Thread.sleep(1);
      }
    }
  }

  /** A program that embeds a node may pass it any address. */
  @Test
  void anInvalidAddressStopsNoNode() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 2, 1)) {
      network.measureLinks(LinkSettings.NONE);
      Node node = network.open(0, 0);
      SortedMap<PeerId, InetSocketAddress> wrong = new TreeMap<>();
      wrong.put(new PeerId(1), InetSocketAddress.createUnresolved("my_node", 7400));
      node.start(wrong);
      assertThat(Until.comesTrue(() -> node.status().exchange().totals().failedSends() > 0))
          .isTrue();
      assertThat(node.failure()).isEmpty();
    }
  }

  private float[] lastWeights(int peers, int rounds, int number) {
    GossipState last = (GossipState) saved(peers, rounds, number).state().layers().get(0);
    return ((Dfedavgm.Model) last.localState()).weights().copy();
  }

  private StateFiles.Saved saved(int peers, int rounds, int number) {
    Peer peer = TinyNetwork.peerFactory(peers, rounds).peer(number);
    try {
      return new StateFiles(
              home.resolve("run-" + number).resolve("state"),
              peer,
              TinyNetwork.peerFactory(peers, rounds).wire())
          .newest(warning -> {})
          .orElseThrow();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nodesKeepTheirVelocitiesInTheirStates() throws InterruptedException, IOException {
    Training keep =
        TrainingBuilder.from(new Training(1, 8, 0.05, 0, 0))
            .velocity(Training.Velocity.KEEP)
            .build();
    PeerFactory factory;
    try (TinyNetwork network = new TinyNetwork(home, 2, 3)) {
      network.useTraining(keep);
      factory = network.peerFactory();
      network.start();
      for (Node node : network.nodes()) {
        awaitDone(node);
      }
    }
    for (int number = 0; number < 2; number++) {
      Path folder = home.resolve("run-" + number);
      Peer peer = factory.peer(number);
      StateFiles.Saved saved =
          new StateFiles(folder.resolve("state"), peer, factory.wire())
              .newest(warning -> {})
              .orElseThrow();
      KeptVelocities.VelocityState velocities =
          (KeptVelocities.VelocityState) saved.state().layers().getLast();
      assertThat(velocities.velocities())
          .hasSize(1)
          .hasEntrySatisfying(
              0,
              velocity ->
                  assertThat(velocity.shared())
                      .isNotEqualTo(new float[factory.architecture().layout().size()]));
    }
  }

  @Test
  void recordedEventsReplayedOnAFreshPeerHaveTheSameEffects() throws InterruptedException {
    long[] events = new long[2];
    try (TinyNetwork network = new TinyNetwork(home, 2, 3)) {
      network.start();
      for (Node node : network.nodes()) {
        awaitDone(node);
      }
      network.nodes().forEach(Node::close);
      for (int number = 0; number < 2; number++) {
        events[number] = network.node(number).status().exchange().totals().events();
      }
    }
    for (int number = 0; number < 2; number++) {
      Replay.Outcome outcome = replay(number, number);
      assertThat(outcome.difference()).isEmpty();
      assertThat(outcome.incarnations()).isEqualTo(1);
      assertThat(outcome.events()).isEqualTo(events[number]).isGreaterThan(9);
      // In each of three rounds: train, deploy, send, set the timer, name the models, mix, deploy.
      assertThat(outcome.effects()).isEqualTo(3 * 7);
    }
    // The other peer has other data and trains otherwise: its effects differ.
    assertThat(replay(0, 1).difference()).isPresent();
  }

  private Replay.Outcome replay(int recorded, int as) {
    return Replay.of(
        home.resolve("run-" + recorded).resolve("events.rec"),
        TinyNetwork.peerFactory(2, 3).peer(as),
        TinyNetwork.peerFactory(2, 3).wire());
  }

  @Test
  void aNodeThatCrashedGoesOnWhereItSavedAndTheOthersFinish() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 3, 60)) {
      network.start();
      while (network.node(1).status().exchange().totals().round() < 3) {
        Thread.sleep(1);
      }
      network.node(1).crash();
      int reached = saved(3, 60, 1).totals().round();
      assertThat(reached).isBetween(3, 59);
      Node back = network.restart(1);
      assertThat(back.status().progress().restored()).isTrue();
      assertThat(back.status().exchange().totals().round()).isGreaterThanOrEqualTo(reached);
      for (Node node : network.nodes()) {
        awaitDone(node);
      }
    }
    Replay.Outcome outcome =
        Replay.of(
            home.resolve("run-1").resolve("events.rec"),
            TinyNetwork.peerFactory(3, 60).peer(1),
            TinyNetwork.peerFactory(3, 60).wire());
    assertThat(outcome.incarnations()).isEqualTo(2);
    assertThat(outcome.difference()).isEmpty();
  }

  @Test
  void aTornStateFileCostsOneStepOnly() throws IOException, InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 2, 3)) {
      network.start();
      for (Node node : network.nodes()) {
        awaitDone(node);
      }
    }
    List<Path> files = stateFiles(0);
    assertThat(files).hasSize(2);
    try (RandomAccessFile torn = new RandomAccessFile(files.getLast().toFile(), "rw")) {
      torn.setLength(torn.length() / 2);
    }
    List<String> warnings = new ArrayList<>();
    StateFiles.Saved before =
        new StateFiles(
                home.resolve("run-0").resolve("state"),
                TinyNetwork.peerFactory(2, 3).peer(0),
                TinyNetwork.peerFactory(2, 3).wire())
            .newest(warnings::add)
            .orElseThrow();
    assertThat(warnings).singleElement().asString().contains("truncated");
    assertThat(files.getFirst().getFileName().toString())
        .contains(String.valueOf(before.totals().events()));
  }

  private List<Path> stateFiles(int number) throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("run-" + number).resolve("state"))) {
      return files.sorted().toList();
    }
  }

  @Test
  void aCertificateOfAnotherPeerIsRefusedBeforeAnythingStarts() {
    try (TinyNetwork network = new TinyNetwork(home, 2, 1)) {
      assertThatThrownBy(() -> network.plan(1, network.identity(0), 0))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("the certificate is for peer 0 of network tiny")
          .hasMessageContaining("peer 1");
    }
  }

  @Test
  void aDiskThatTakesNothingEndsNoNodeAndLosesNothingSaved()
      throws IOException, InterruptedException {
    Path state = home.resolve("run-0").resolve("state");
    Path aside = home.resolve("aside");
    try (TinyNetwork network = new TinyNetwork(home, 2, 400)) {
      network.start();
      assertThat(Until.comesTrue(() -> network.node(0).status().exchange().totals().round() > 2))
          .isTrue();
      // A file in place of the folder fails writes as a full disk does, also for the root user. The
      // node may create the folder again in between, hence the loop.
      while (!Files.isRegularFile(state)) {
        if (!Files.exists(aside)) {
          Files.move(state, aside);
        }
        try {
          Files.createFile(state);
        } catch (FileAlreadyExistsException again) {
          deleteFolder(state);
        }
      }
      assertThat(
              Until.comesTrue(
                  () -> network.node(0).status().disk().unwritten().getOrDefault("state", 0L) > 1))
          .isTrue();
      int round = network.node(0).status().exchange().totals().round();
      assertThat(
              Until.comesTrue(
                  () -> network.node(1).status().exchange().totals().round() > round + 2))
          .isTrue();
      assertThat(network.node(0).failure()).isEmpty();
      assertThat(network.node(0).status().disk().diskFails()).isTrue();
      assertThat(network.log().stream().filter(line -> line.startsWith("cannot write the state")))
          .hasSize(1);
      // The earlier save is intact.
      assertThat(readAside(aside).totals().round()).isBetween(1, 400);

      Files.delete(state);
      assertThat(Until.comesTrue(() -> !network.node(0).status().disk().diskFails())).isTrue();
      assertThat(Until.comesTrue(() -> network.log().contains("the state can be written again")))
          .as("the node logs it after it has reset the flag")
          .isTrue();
    }
    assertThat(saved(2, 400, 0).totals().round()).isGreaterThan(2);
  }

  private static void deleteFolder(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.toList()) {
        Files.deleteIfExists(each);
      }
      Files.deleteIfExists(folder);
    } catch (NoSuchFileException | DirectoryNotEmptyException meanwhile) {
      // The node writes at the same time; the next attempt succeeds.
    }
  }

  private static StateFiles.Saved readAside(Path folder) throws IOException {
    return new StateFiles(
            folder, TinyNetwork.peerFactory(2, 400).peer(0), TinyNetwork.peerFactory(2, 400).wire())
        .newest(warning -> {})
        .orElseThrow();
  }

  @Test
  void aStatusNamesThePeersThatSentMessagesAlsoBeforeARestart() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 2, 3)) {
      network.start();
      for (Node node : network.nodes()) {
        awaitDone(node);
      }
      assertThat(network.node(0).status().heard())
          .hasEntrySatisfying(
              1L,
              peerTraffic -> {
                assertThat(peerTraffic.models()).isEqualTo(3);
                assertThat(peerTraffic.secondsAgo()).isNotNull();
              });
      network.node(0).close();
      Node back = network.restart(0);
      assertThat(back.status().heard())
          .hasEntrySatisfying(1L, heard -> assertThat(heard.models()).isEqualTo(3));
    }
  }

  @Test
  void newPapersAreTakenWhileANodeRuns() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 2, 2)) {
      network.start();
      for (Node node : network.nodes()) {
        awaitDone(node);
      }
      String before = network.node(0).status().certificateUntil();
      network.authority().renew(home.resolve("identity-0"), Revocations.NONE, Validity.ofDays(3));
      assertThat(Until.comesTrue(() -> !network.node(0).status().certificateUntil().equals(before)))
          .isTrue();
      assertThat(
              Until.comesTrue(
                  () ->
                      network.log().stream()
                          .anyMatch(line -> line.startsWith("new credentials are in use"))))
          .isTrue();
    }
  }
}
