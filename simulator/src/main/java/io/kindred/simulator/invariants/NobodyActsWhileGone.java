package io.kindred.simulator.invariants;

import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.Transfer;
import io.kindred.world.Change;
import java.util.Arrays;
import java.util.Locale;

/** A peer that crashed or stands still does nothing until it is back. */
final class NobodyActsWhileGone implements Inspector {
  private enum State {
    THERE,
    STILL,
    GONE
  }

  private final State[] states;

  NobodyActsWhileGone(int peers) {
    // A server has the last number.
    states = new State[peers + 1];
    Arrays.fill(states, State.THERE);
  }

  @Override
  public void changed(Change change) {
    switch (change) {
      case Change.Crash(long _, int peer, boolean _) -> states[peer] = State.GONE;
      case Change.Pause(long _, int peer) ->
          states[peer] = states[peer] == State.THERE ? State.STILL : states[peer];
      case Change.Resume(long _, int peer) ->
          states[peer] = states[peer] == State.STILL ? State.THERE : states[peer];
      case Change.Calm _ -> Arrays.fill(states, State.THERE);
      // A peer that returns has already heard of it when the change is told.
      case Change.Return _,
          Change.Leave _,
          Change.Slow _,
          Change.Split _,
          Change.Cut _,
          Change.Heal _ -> {}
    }
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (peer.number() >= states.length) {
      return;
    }
    int number = (int) peer.number();
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      states[number] = State.THERE;
    }
    if (states[number] != State.THERE) {
      throw new Violation(
          getClass(),
          tick,
          String.format(Locale.ROOT, "%s is %s and answers %s", peer, states[number], event));
    }
  }

  @Override
  public void arrived(Transfer transfer, long tick) {
    if (transfer.to() < states.length && states[transfer.to()] != State.THERE) {
      throw new Violation(
          getClass(),
          tick,
          String.format(Locale.ROOT, "a message reaches peer %d, which is away", transfer.to()));
    }
  }
}
