package io.kindred.studies.fuzz.planted;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Planted bugs of the simulator, of checkpoints, of what peers keep, and of hierarchies. */
final class PlantedShellBugs {
  private static final MethodTypeDesc BOXED =
      MethodTypeDesc.of(ConstantDescs.CD_Long, ConstantDescs.CD_long);

  private PlantedShellBugs() {}

  static List<PlantedBugs.Planted> all() {
    return Stream.of(shells(), checkpoints(), hierarchies()).flatMap(List::stream).toList();
  }

  private static List<PlantedBugs.Planted> shells() {
    return List.of(
        new PlantedBugs.Planted(
            Mutant.of(
                "a peer that is paused handles events",
                "simulator.PeerTable",
                "isPaused",
                Change.returns(false)),
            PlantedBugs.graph("dfedavgm"),
            10,
            "NobodyActsWhileGone"),
        new PlantedBugs.Planted(
            Mutant.of(
                "small messages arrive at once",
                "simulator.state.BandwidthModel",
                "controlArrival",
                Change.beforeReturn(code -> code.pop2().lload(3))),
            PlantedBugs.pull("random-k, pull: {k: 3}"),
            1,
            "NothingFromTheFuture"),
        new PlantedBugs.Planted(
            Mutant.of(
                "the average of a cluster is not normalized",
                "methods.hfl.ModelAverage",
                "total",
                Change.result("sum", code -> code.pop2().dconst_1())),
            PlantedBugs.HFL,
            1,
            "MixturesSumToOne"));
  }

  private static List<PlantedBugs.Planted> checkpoints() {
    return List.of(
        new PlantedBugs.Planted(
            Mutant.of(
                "a checkpoint misses how many events were queued",
                "simulator.Simulation",
                "snapshot",
                Change.result("sequences", PlantedShellBugs::allZero)),
            PlantedBugs.graph("dfedavgm"),
            40,
            "ResumesAsIfNeverStopped"),
        new PlantedBugs.Planted(
            Mutant.of(
                "a checkpoint misses the states on the disks of the peers",
                "simulator.Simulation",
                "snapshot",
                Change.result("savedStates", PlantedShellBugs::allNull)),
            PlantedBugs.graph("dfedavgm"),
            40,
            "ResumesAsIfNeverStopped"),
        new PlantedBugs.Planted(
            Mutant.of(
                "a peer goes on with a former neighbour",
                "methods.rounds.NeighbourExchange",
                "neighboursChanged",
                Change.result("withNeighbours", code -> code.pop().aload(1))),
            PlantedBugs.graph("dfedavgm").replace("network:\n", "network:\n  rewire: 0.3\n"),
            10,
            "OnlyNeighboursAreWeighed"),
        new PlantedBugs.Planted(
            Mutant.of(
                    "updates of former rounds are never dropped",
                    "methods.rounds.NeighbourExchange",
                    "atRound",
                    Change.withoutCall("filter"))
                .and("methods.rounds.GossipState", "storing", Change.withoutCall("ifPresent")),
            PlantedBugs.graph("dfedavgm").replace("rounds: 6", "rounds: 20"),
            10,
            "MemoryStaysNearItsLevel"));
  }

  private static void allZero(CodeBuilder code) {
    copies(code, zero -> zero.lconst_0().invokestatic(ConstantDescs.CD_Long, "valueOf", BOXED));
  }

  private static void allNull(CodeBuilder code) {
    copies(code, CodeBuilder::aconst_null);
  }

  /** In place of a list one of the same length. */
  private static void copies(CodeBuilder code, Consumer<CodeBuilder> element) {
    code.invokeinterface(ConstantDescs.CD_List, "size", MethodTypeDesc.of(ConstantDescs.CD_int));
    element.accept(code);
    code.invokestatic(
        ClassDesc.of("java.util.Collections"),
        "nCopies",
        MethodTypeDesc.of(ConstantDescs.CD_List, ConstantDescs.CD_int, ConstantDescs.CD_Object));
  }

  private static List<PlantedBugs.Planted> hierarchies() {
    return List.of(
        new PlantedBugs.Planted(
            Mutant.of(
                "the lease of a coordinator never expires",
                "methods.hfl.StandbyStep",
                "silenceTimerFired",
                Change.nothing()),
            PlantedBugs.HFL,
            10,
            "CoordinatorIsReplaced"),
        new PlantedBugs.Planted(
            Mutant.of(
                "clients obey coordinators of older terms",
                "methods.hfl.ParticipantStep",
                "isOfOlderTerm",
                Change.returns(false)),
            PlantedBugs.HFL,
            20,
            "OldTermsAreFenced"));
  }
}
