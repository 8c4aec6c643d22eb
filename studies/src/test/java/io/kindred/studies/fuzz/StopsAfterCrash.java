package io.kindred.studies.fuzz;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.Step;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.hfl.FormClusters;
import io.kindred.methods.hfl.Hfl;
import io.kindred.methods.hfl.StandbySettings;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.methods.hfl.formation.SpectralSettings;
import io.kindred.methods.hfl.formation.SwapCriteria;
import io.kindred.methods.hfl.formation.SwapSettings;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Hierarchical learning with a planted bug: the coordinator forms no clusters once it has too few
 * clients for the clusters of the settings.
 */
@Named(value = "stops-after-crash", summary = "hierarchical learning with a planted bug")
record StopsAfterCrash() implements Method {
  private static final int CLUSTERS = 3;

  private static final Method HFL =
      new Hfl(
          new FormationSettings(
              CLUSTERS,
              4,
              0,
              FormationSettings.Algorithm.SWAP,
              new SwapSettings(
                  SwapCriteria.Solution.PAIR,
                  0,
                  5,
                  SwapSettings.Choice.RANDOM,
                  SwapSettings.Start.RANDOM,
                  1),
              new SpectralSettings(1, 1, 1, 0)),
          Hfl.Feature.SKEW,
          List.of(),
          1,
          Hfl.Start.GLOBAL,
          Hfl.Weighting.SAMPLES,
          1,
          0,
          2,
          3,
          10,
          4,
          3,
          false,
          TimeoutPolicy.of(5),
          StandbySettings.NONE);

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return HFL.layers(context).stream().<PeerLayer<?>>map(StopsAfterCrash::planted).toList();
  }

  private static <S> PeerLayer<S> planted(PeerLayer<S> layer) {
    return new PeerLayer<>(layer.component(), new Planted<>(layer.machine()), layer.stateType());
  }

  private record Planted<S>(Machine<S> machine) implements Machine<S> {
    @Override
    public S initial() {
      return machine.initial();
    }

    @Override
    public Step<S> step(S state, Event event) {
      if (event
              instanceof
              Event.Computed(
                  long tick,
                  long ticket,
                  Result.Answered(FormClusters.FormedClusters formed))
          && formed.plans().size() < CLUSTERS) {
        FormClusters.FormedClusters none =
            new FormClusters.FormedClusters(
                List.of(),
                List.of(),
                formed.links(),
                Optional.of("planted"),
                0,
                0,
                Optional.empty());
        return machine.step(state, new Event.Computed(tick, ticket, new Result.Answered(none)));
      }
      return machine.step(state, event);
    }
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return HFL.ticketKinds();
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return HFL.messages();
  }

  @Override
  public List<Class<?>> otherRecords() {
    return HFL.otherRecords();
  }

  @Override
  public boolean hasServer() {
    return true;
  }

  @Override
  public boolean measuresLinks() {
    return true;
  }

  @Override
  public Observation.Stage lastStage() {
    return HFL.lastStage();
  }
}
