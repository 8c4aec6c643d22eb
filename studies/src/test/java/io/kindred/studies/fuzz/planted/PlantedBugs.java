package io.kindred.studies.fuzz.planted;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.stream.Stream;

/** The planted bugs, and the scenario that shows each of them. */
final class PlantedBugs {
  private PlantedBugs() {}

  /**
   * A planted bug and where to look for it.
   *
   * @param scenario the method in a network of {@link #scenario}
   * @param seeds the number of seeds, from one on, that have to be enough
   * @param checker the checker that finds it first
   */
  record Planted(Mutant mutant, String scenario, int seeds, String checker) {
    @Override
    public String toString() {
      return mutant.name();
    }
  }

  private static final String ROUNDS = "io.kindred.methods.rounds.";

  private static final String NETWORK =
      """
      dataset: {name: glyphs, samples: 160, testSamples: 20, classes: 4}
      model: softmax
      partition: {name: dirichlet, alpha: 1}
      training: {batch: 16}
      """;

  private static final String FAULTS =
      """
      faults: {loss: 0.1, duplicate: 0.1, delay: 0.1, delaySeconds: 3, crashes: 0.15, forgetful: 0.3, pauses: 0.15,
        slow: 0.2, slowdown: 10, drift: 0.1, untilSeconds: 20}
      """;

  private static final String GRAPH =
      NETWORK
          + FAULTS
          + """
          topology: {name: erdos-renyi, degree: 3}
          peers: 6
          rounds: 6
          network:
            devices: {name: varied, operationsPerSecond: 1e6, bandwidthMbps: 5}
            links: {name: varied, leastMbps: 0.5, mostMbps: 5}
            roundSeconds: 2
            noticeSeconds: 0.3
          """;

  private static final String SERVER =
      NETWORK
          + FAULTS
          + """
          topology: complete
          peers: 5
          rounds: 6
          network:
            devices: {name: varied, operationsPerSecond: 1e6, bandwidthMbps: 5}
            links: {name: varied, leastMbps: 0.5, mostMbps: 5}
            roundSeconds: 2
            noticeSeconds: 0.3
          """;

  private static final String CLUSTERS =
      NETWORK
          + """
          topology: complete
          peers: 8
          rounds: 8
          network:
            devices: {name: ranged, leastOperationsPerSecond: 1e6, mostOperationsPerSecond: 3e6, bandwidthMbps: 5}
            links: {name: varied, leastMbps: 0.5, mostMbps: 5}
            serverLinks: {name: varied, leastMbps: 0.5, mostMbps: 5}
            roundSeconds: 4
            noticeSeconds: 0.3
          faults: {loss: 0.1, duplicate: 0.1, delay: 0.1, delaySeconds: 3, crashes: 0.1, pauses: 0.1, cuts: 0.5,
            serverCrashes: 0.3, serverStopSeconds: 60, untilSeconds: 60}
          """;

  static String graph(String method) {
    return GRAPH + "method: {name: " + method + ", timeout: {seconds: 5, factor: 3}}\n";
  }

  private static String server(String method) {
    return SERVER + "method: {name: " + method + ", timeout: {seconds: 5, minSeconds: 0.5}}\n";
  }

  /** Messages are so late that most of them arrive in a later round. */
  private static String late(String method) {
    return server(method)
        .replace("delaySeconds: 3", "delaySeconds: 9")
        .replace("loss: 0.1, duplicate: 0.1, delay: 0.1", "loss: 0.1, duplicate: 0.7, delay: 0.7");
  }

  static String pull(String method) {
    return GRAPH + "method: {name: " + method + "}\n";
  }

  static final String HFL =
      CLUSTERS
          + """
          method: {name: hfl, clusters: {count: 2}, feature: skew, start: global, globalSeconds: 4,
            standby: {leaseSeconds: 6}, timeout: {seconds: 5, minSeconds: 0.5}}
          """;

  private static void one(CodeBuilder code) {
    code.pop().iconst_1();
  }

  private static void next(CodeBuilder code) {
    code.iconst_1().iadd();
  }

  static List<Planted> all() {
    return Stream.of(
            serverReplies(),
            serverRounds(),
            gossipMerges(),
            pushSum(),
            trainings(),
            pulls(),
            PlantedShellBugs.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Planted> serverReplies() {
    return List.of(
        new Planted(
            Mutant.of(
                    "the server counts a duplicate reply",
                    "methods.rounds.Server",
                    "received",
                    Change.withoutCall("removeIf"))
                .and("methods.rounds.Server", "isAwaited", Change.returns(true)),
            server("fedavg"),
            10,
            "NothingMixedTwice"),
        new Planted(
            Mutant.of(
                "the server averages a late reply again",
                "methods.rounds.ServerRoundState$ServerState",
                "rememberAveraged",
                Change.returnsThis()),
            late("fedavg, staleness: 2"),
            10,
            "NothingMixedTwice"),
        new Planted(
            Mutant.of(
                "clients report one sample each",
                "methods.mixing.MixingAlgorithm",
                "outgoingUpdate",
                Change.result("samples", PlantedBugs::one)),
            server("fedavg"),
            1,
            "WeightsAsDeclared"),
        new Planted(
            Mutant.of(
                "the server does not normalize shares",
                "methods.rounds.Server",
                "commonParts",
                Change.instead(Opcode.DDIV, CodeBuilder::pop2)),
            server("fedavg"),
            1,
            "MixturesSumToOne"));
  }

  private static List<Planted> serverRounds() {
    return List.of(
        new Planted(
            Mutant.of(
                "the server accepts replies that are one round too old",
                "methods.rounds.Server",
                "isAwaited",
                Change.result("staleness", PlantedBugs::next)),
            late("fedavg"),
            10,
            "BoundedStaleness"),
        new Planted(
            Mutant.of(
                "the server skips every second round",
                "methods.rounds.Server",
                "nextRound",
                Change.constant(1, 2)),
            server("fedavg"),
            1,
            "ClientsFollowServer"),
        new Planted(
            Mutant.of(
                "clients name the round after the one that they trained",
                "methods.rounds.Client",
                "clientUpdate",
                Change.result("round", PlantedBugs::next)),
            server("fedavg"),
            1,
            "ModelsChange"),
        new Planted(
            Mutant.of(
                "the personal mixtures of a server take each model twice",
                "methods.rounds.Server",
                "sortedReplies",
                Change.beforeReturn(
                    code ->
                        code.dup()
                            .aload(0)
                            .invokevirtual(
                                ClassDesc.of(ROUNDS + "ServerRoundState$ServerState"),
                                "replies",
                                MethodTypeDesc.of(ConstantDescs.CD_List))
                            .invokeinterface(
                                ConstantDescs.CD_List,
                                "addAll",
                                MethodTypeDesc.of(
                                    ConstantDescs.CD_boolean, ConstantDescs.CD_Collection))
                            .pop())),
            server("pfedgraph"),
            1,
            "NothingMixedTwice"));
  }

  private static List<Planted> gossipMerges() {
    return List.of(
        new Planted(
            Mutant.of(
                "a peer forgets which neighbours it has merged",
                "methods.rounds.GossipState",
                "merging",
                Change.withoutCall("merged")),
            graph("dfca, clusters: 2"),
            1,
            "NothingMixedTwice"),
        new Planted(
            Mutant.of(
                    "a peer merges models that are one round too old",
                    "methods.rounds.GossipState",
                    "isLate",
                    Change.returns(false))
                .and(
                    "methods.rounds.GossipState",
                    "usableUpdate",
                    Change.instead(Opcode.ISUB, code -> code.isub().iconst_1().isub())),
            graph("dfedavgm"),
            30,
            "BoundedStaleness"),
        new Planted(
            Mutant.of(
                "weights follow the smaller number of neighbours",
                "methods.rounds.Mixtures",
                "metropolis",
                Change.call("max", "min")),
            graph("dfedavgm"),
            5,
            "WeightsAsDeclared"),
        new Planted(
            Mutant.of(
                "the own model counts as one sample",
                "methods.rounds.Mixtures",
                "bySamples",
                Change.result("ownSamples", PlantedBugs::one)),
            graph("dfedavgm, weights: samples"),
            1,
            "WeightsAsDeclared"),
        new Planted(
            Mutant.of(
                "a mean over one model too many",
                "methods.rounds.Mixtures",
                "mean",
                Change.result("size", PlantedBugs::next)),
            graph("dfca, clusters: 2"),
            1,
            "MixturesSumToOne"));
  }

  private static List<Planted> pushSum() {
    return List.of(
        new Planted(
            Mutant.of(
                "a peer keeps its push-sum mass of the round before",
                "methods.personal.DFedPgp$Algorithm",
                "merge",
                Change.result(
                    "mass",
                    code ->
                        code.pop2()
                            .aload(1)
                            .invokevirtual(
                                ClassDesc.of("io.kindred.methods.personal.DFedPgp$SplitModel"),
                                "mass",
                                MethodTypeDesc.of(ConstantDescs.CD_double)))),
            graph("dfedpgp"),
            5,
            "MassIsConserved"),
        new Planted(
            Mutant.of(
                "the push-sum mass of missing neighbours is lost",
                "methods.personal.DFedPgp$Algorithm",
                "ownMass",
                Change.result("max", code -> code.pop().iconst_0())),
            graph("dfedpgp"),
            10,
            "MassIsConserved"),
        new Planted(
            Mutant.of(
                "the push-sum mass is not divided among the neighbours",
                "methods.personal.DFedPgp$Algorithm",
                "massOf",
                Change.instead(Opcode.DDIV, CodeBuilder::pop2)),
            graph("dfedpgp"),
            5,
            "MassIsConserved"),
        new Planted(
            Mutant.of(
                "a peer skips every second round",
                "methods.rounds.Gossip",
                "nextRound",
                Change.instead(Opcode.IADD, code -> code.iadd().iconst_1().iadd())),
            graph("dfedavgm"),
            1,
            "RoundsGoForward"));
  }

  private static List<Planted> trainings() {
    return List.of(
        new Planted(
            Mutant.of(
                "a peer goes on with the model from before the training",
                "methods.averaging.Dfedavgm$Averaging",
                "work",
                Change.result(
                    "weights",
                    code ->
                        code.pop()
                            .aload(1)
                            .invokevirtual(
                                ClassDesc.of("io.kindred.methods.averaging.Dfedavgm$Model"),
                                "weights",
                                MethodTypeDesc.of(
                                    ClassDesc.of("io.kindred.core.weights.Weights"))))),
            graph("dfedavgm"),
            1,
            "TrainedModelsAreMixed"),
        new Planted(
            Mutant.of(
                "the shuffle of every round is that of the first",
                "methods.contract.Training",
                "round",
                Change.instead(Opcode.I2L, code -> code.pop().lconst_1())),
            graph("dfedavgm"),
            1,
            "ShufflesDiffer"),
        new Planted(
            Mutant.of(
                "an answer that arrives twice is pulled twice",
                "methods.pull.PulledModels",
                "acceptInTime",
                Change.result("anyMatch", code -> code.pop().iconst_0())),
            pull("random-k, pull: {k: 3, timeout: {seconds: 5, factor: 3, minSeconds: 1}}"),
            30,
            "NothingMixedTwice"));
  }

  private static List<Planted> pulls() {
    return List.of(
        new Planted(
            Mutant.of(
                "late models are kept for any time",
                "methods.pull.PulledModels",
                "oldestUsableRound",
                Change.returnsOne()),
            pull(
                "random-k, pull: {k: 3, timeout: {seconds: 5, factor: 3, minSeconds: 1}, staleness:"
                    + " 0}"),
            30,
            "BoundedStaleness"),
        new Planted(
            Mutant.of(
                "pulled models have unnormalized weights",
                "methods.pull.PullSettings",
                "shares",
                Change.instead(Opcode.DDIV, CodeBuilder::pop2)),
            pull("random-k, pull: {k: 3, timeout: {seconds: 5, factor: 3, minSeconds: 1}}"),
            1,
            "MixturesSumToOne"),
        new Planted(
            Mutant.of(
                "an answer that arrives twice is mixed twice",
                "methods.kin.KinState$PullRound",
                "isAwaiting",
                Change.result("noneMatch", code -> code.pop().iconst_1())),
            pull("kin, k: 3, discovery: random, timeout: {seconds: 5, factor: 3, minSeconds: 1}"),
            30,
            "NothingMixedTwice"),
        new Planted(
            Mutant.of(
                "a partner whose update arrived twice is merged twice",
                "methods.rounds.PartnerExchange",
                "senders",
                Change.withoutCall("distinct")),
            graph("dpfl, selectOn: train, discovery: random, k: 3, staleness: 2"),
            30,
            "NothingMixedTwice"),
        new Planted(
            Mutant.of(
                "events of an earlier incarnation reach a peer",
                "simulator.Simulation",
                "isCurrentIncarnation",
                Change.returns(true)),
            graph("dfedavgm"),
            10,
            "OnlyOwnWorkReturns"));
  }
}
