package io.kindred.simulator.invariants;

import io.kindred.environment.fault.FaultEvent;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether more than half of the clients have been up, neither paused nor slowed, for the whole of a
 * period in which no connection was cut.
 */
final class ClientQuorum {
  private final int clients;
  private final Set<Integer> impaired = new TreeSet<>();
  private final Set<Integer> impairedSince = new TreeSet<>();
  private boolean connectionsCut;
  private boolean cutSince;

  ClientQuorum(int clients) {
    this.clients = clients;
  }

  void faultOccurred(FaultEvent fault) {
    switch (fault) {
      case FaultEvent.Crash(long _, int peer, boolean _) -> impair(peer);
      case FaultEvent.Leave(long _, int peer) -> impair(peer);
      case FaultEvent.Pause(long _, int peer) -> impair(peer);
      case FaultEvent.SpeedChange(long _, int peer, double factor) -> {
        if (factor > 1) {
          impair(peer);
        } else {
          impaired.remove(peer);
        }
      }
      case FaultEvent.Return(long _, int peer) -> impaired.remove(peer);
      case FaultEvent.Resume(long _, int peer) -> impaired.remove(peer);
      case FaultEvent.Partition _, FaultEvent.LinkCut _ -> {
        connectionsCut = true;
        cutSince = true;
      }
      case FaultEvent.Heal _ -> connectionsCut = false;
      case FaultEvent.FaultsEnd _ -> {
        impaired.clear();
        connectionsCut = false;
      }
    }
  }

  private void impair(int peer) {
    impaired.add(peer);
    impairedSince.add(peer);
  }

  /** Begins a new period. */
  void observeFromNow() {
    impairedSince.clear();
    impairedSince.addAll(impaired);
    cutSince = connectionsCut;
  }

  /** Whether there has been a quorum since the period began. */
  boolean held() {
    long steady = clients - impairedSince.stream().filter(each -> each < clients).count();
    return 2 * steady > clients && !cutSince;
  }
}
