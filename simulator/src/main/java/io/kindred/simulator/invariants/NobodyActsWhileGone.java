package io.kindred.simulator.invariants;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.state.Transfer;
import java.util.Arrays;
import java.util.Locale;

/** A peer that crashed or is paused processes no event until it is back. */
final class NobodyActsWhileGone implements StepListener {
  private enum State {
    UP,
    PAUSED,
    DOWN
  }

  private final State[] states;

  NobodyActsWhileGone(int peers) {
    // A server has the number after all peers.
    states = new State[peers + 1];
    Arrays.fill(states, State.UP);
  }

  @Override
  public void faultOccurred(FaultEvent fault) {
    switch (fault) {
      case FaultEvent.Crash(long _, int peer, boolean _) -> states[peer] = State.DOWN;
      case FaultEvent.Pause(long _, int peer) ->
          states[peer] = states[peer] == State.UP ? State.PAUSED : states[peer];
      case FaultEvent.Resume(long _, int peer) ->
          states[peer] = states[peer] == State.PAUSED ? State.UP : states[peer];
      case FaultEvent.FaultsEnd _ -> Arrays.fill(states, State.UP);
      // A returning peer has already processed its start when the fault is reported.
      case FaultEvent.Return _,
          FaultEvent.Leave _,
          FaultEvent.SpeedChange _,
          FaultEvent.Partition _,
          FaultEvent.LinkCut _,
          FaultEvent.Heal _ -> {}
    }
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (peer.number() >= states.length) {
      return;
    }
    int number = (int) peer.number();
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      states[number] = State.UP;
    }
    if (states[number] != State.UP) {
      throw new Violation(
          getClass(),
          tick,
          String.format(Locale.ROOT, "%s is %s, but handles %s", peer, states[number], event));
    }
  }

  @Override
  public void arrived(Transfer transfer, long tick) {
    if (transfer.to() < states.length && states[transfer.to()] != State.UP) {
      throw new Violation(
          getClass(),
          tick,
          String.format(Locale.ROOT, "a message reaches peer %d, which is not up", transfer.to()));
    }
  }
}
