package io.kindred.methods.rounds;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.TimeoutPolicy;
import java.util.Arrays;
import java.util.List;

/** The settings that every method with a {@link Server} shares. */
public record RoundSettings(
    @Setting(doc = "how long a peer waits for the other peers' models", fallback = "{}")
        TimeoutPolicy timeout,
    @Setting(
            doc = "clients that a server asks to train in a round; 0 asks all clients",
            fallback = "0",
            min = 0)
        int participants,
    @Setting(
            doc = "rounds that a received model may lag behind and still be averaged",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness) {
  /** All clients take part, and late models are dropped. */
  public static RoundSettings of(TimeoutPolicy timeout) {
    return new RoundSettings(timeout, 0, 0);
  }

  /** Refuses participants without a server that chooses them, or more than there are peers. */
  void check(boolean hasServer, int peers) {
    if (participants > 0 && !hasServer) {
      throw new SettingException(
          "method.participants",
          "only a server chooses participants, but the neighbours on the graph average",
          "set method.over to server, or leave method.participants out");
    }
    if (participants > peers) {
      throw new SettingException(
          "method.participants",
          participants + " participants a round, but there are only " + peers + " peers",
          "choose at most " + peers + ", or 0 for all peers");
    }
  }

  /** The clients that a server asks to train in a round, drawn from the server's own stream. */
  List<PeerId> participants(PeerContext server, int round) {
    List<PeerId> peers = server.peers();
    if (participants == 0 || participants >= peers.size()) {
      return peers;
    }
    int[] order =
        server.streams().stream(Purpose.PARTICIPANTS, server.self().number(), round)
            .permutation(peers.size());
    return Arrays.stream(order).limit(participants).sorted().mapToObj(peers::get).toList();
  }
}
