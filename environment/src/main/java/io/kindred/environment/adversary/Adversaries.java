package io.kindred.environment.adversary;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which peers are hostile, and what they do. */
public record Adversaries(
    @Setting(
            doc = "share of the peers that are hostile, rounded; the seed decides which",
            fallback = "0",
            min = 0,
            max = 0.9)
        double share,
    @Setting(doc = "numbers of the hostile peers, in place of a share", fallback = "[]")
        List<Integer> peers,
    @Setting(doc = "what hostile peers do", fallback = "sign-flip") Behaviour behaviour) {
  private static final Purpose ADVERSARIES = new Purpose("adversaries");

  /** No peer is hostile. */
  public static final Adversaries NONE = new Adversaries(0, List.of(), new SignFlip(1));

  public Adversaries {
    peers = List.copyOf(peers);
    if (share > 0 && !peers.isEmpty()) {
      throw new SettingException(
          "adversaries.share",
          "peers are named too, so a share is ambiguous",
          "leave out 'share' or 'peers'");
    }
    if (new TreeSet<>(peers).size() < peers.size()) {
      throw new SettingException(
          "adversaries.peers", "a peer is named twice in " + peers, "name each peer once");
    }
  }

  /** Refuses peers that do not exist, and a network without an honest peer. */
  public void requireKnownPeers(int all) {
    for (int peer : peers) {
      if (peer < 0 || peer >= all) {
        throw new SettingException(
            "adversaries.peers",
            "there is no peer " + peer + " among " + all,
            "choose from 0 to " + (all - 1));
      }
    }
    if (peers.size() >= all) {
      throw new SettingException(
          "adversaries.peers", "all " + all + " peers are hostile", "leave one honest peer");
    }
  }

  /** The numbers of the hostile peers; at least one peer stays honest. */
  public SortedSet<Integer> among(int all, long seed) {
    if (!peers.isEmpty()) {
      return new TreeSet<>(peers);
    }
    int[] order = new RandomStreams(seed).stream(ADVERSARIES, -1, 0).permutation(all);
    int count = Math.min((int) Math.round(share * all), all - 1);
    SortedSet<Integer> hostile = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      hostile.add(order[i]);
    }
    return hostile;
  }
}
