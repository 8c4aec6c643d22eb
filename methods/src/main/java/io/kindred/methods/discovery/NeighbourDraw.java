package io.kindred.methods.discovery;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.FindSimilar;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.Similar;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.List;

/** Answers every search with neighbours, drawn at random where there are more than wanted. */
record NeighbourDraw(PeerId self, RandomStreams streams) implements Machine<NeighbourDraw.State> {
  private static final Purpose NEIGHBOUR_CANDIDATES = new Purpose("neighbour-candidates");

  /**
   * The neighbours now.
   *
   * @param searches number of searches that were answered, so that each has a stream of its own
   */
  record State(List<PeerId> neighbours, long searches) {
    State {
      neighbours = List.copyOf(neighbours);
    }
  }

  @Override
  public State initial() {
    return new State(List.of(), 0);
  }

  @Override
  public Step<State> step(State state, Event event) {
    return switch (event) {
      case Event.Started started -> Step.of(new State(started.neighbours(), state.searches()));
      case Event.Restored restored -> Step.of(new State(restored.neighbours(), state.searches()));
      case Event.NeighboursChanged changed ->
          Step.of(new State(changed.neighbours(), state.searches()));
      case Event.Notified notified when notified.message() instanceof FindSimilar find ->
          Step.of(
              new State(state.neighbours(), state.searches() + 1),
              new Effect.Notify(
                  Component.METHOD, new Similar(find.number(), candidates(state, find.wanted()))));
      case Event.Notified _,
          Event.Received _,
          Event.SendFailed _,
          Event.TimerFired _,
          Event.Computed _,
          Event.LinkMeasured _,
          Event.LeaveRequested _ ->
          Step.of(state);
    };
  }

  /** How similar neighbours are is unknown before their models are there. */
  private List<Candidate> candidates(State state, int wanted) {
    List<PeerId> neighbours = state.neighbours().stream().sorted().toList();
    List<Candidate> candidates = new ArrayList<>();
    for (int index :
        streams.stream(NEIGHBOUR_CANDIDATES, self.number(), state.searches())
            .permutation(neighbours.size())) {
      if (candidates.size() < wanted) {
        candidates.add(new Candidate(neighbours.get(index), 0));
      }
    }
    candidates.sort(Candidate.BEST_FIRST);
    return candidates;
  }
}
