package io.kindred.environment.link;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.Channel;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.environment.radio.RadioField;
import io.kindred.environment.topology.Graph;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Device-to-device radio in an unlicensed band (pFedWN, section III.B): peers lie in a square, all
 * transmissions disturb each other, and neighbours are peers whose transmissions fail rarely enough
 * (algorithm 1).
 */
@Named(
    value = "radio",
    summary = "peers in a square that disturb each other; transmissions fail and are repeated")
public record RadioLinks(
    @Setting(doc = "what the air is like", fallback = "{}") Channel channel,
    @Setting(doc = "side of the square that peers lie in, in metres", fallback = "50", above = 0)
        double sideMetres,
    @Setting(
            doc =
                "neighbours are those of whose transmissions less than this share fails, at either"
                    + " end; 1 keeps all that the topology gives",
            fallback = "1",
            above = 0,
            max = 1)
        double epsilon,
    @Setting(
            doc =
                "the only peer that chooses neighbours; it and they are connected, the others"
                    + " alone. -1 lets everybody choose",
            fallback = "-1",
            min = -1)
        int target,
    @Setting(
            doc = "how often a failed transmission is repeated",
            fallback = "5",
            min = 0,
            max = 1000)
        int retries,
    @Setting(
            doc = "seconds that fading stays as it is; a repetition waits for the next such block",
            fallback = "0.05",
            above = 0)
        double blockSeconds,
    @Setting(doc = "seconds that a bit is under way", fallback = "0.005", above = 0)
        double latencySeconds)
    implements LinkModel {
  public RadioLinks {
    if (channel.referenceMetres() > sideMetres) {
      throw new SettingException(
          "channel.referenceMetres",
          "every distance in a square of " + sideMetres + " metres is below the reference",
          "choose at most " + sideMetres);
    }
  }

  /** The positions and the channel of the peers of a run. */
  public RadioField radioField(int peers, RandomStreams streams) {
    return new RadioField(
        channel, PeerPositions.uniform(peers, sideMetres, streams.stream(Purpose.PLACEMENT, 0, 0)));
  }

  /**
   * How many neighbours a peer selects, on the mean over all peers that select.
   *
   * @param reachable the graph after all peers have selected
   */
  public double meanSelectedNeighbours(Graph reachable, RandomStreams streams) {
    RadioField radioField = radioField(reachable.peers(), streams);
    return IntStream.range(0, reachable.peers())
        .filter(peer -> target < 0 || peer == target)
        .mapToLong(
            peer ->
                Arrays.stream(reachable.neighbours().get(peer).shared())
                    .filter(other -> radioField.errorProbability(other, peer) < epsilon)
                    .count())
        .average()
        .orElse(0);
  }

  @Override
  public LinkModel forPeers(int peers, RandomStreams streams) {
    if (target >= peers) {
      throw new SettingException(
          "network.links.target",
          "there is no peer " + target + " among " + peers,
          "choose at most " + (peers - 1));
    }
    return new RadioPaths(this, radioField(peers, streams), streams);
  }

  @Override
  public Link between(int from, int to, long round, RandomStreams streams) {
    throw new IllegalStateException("who else transmits is not known; ask what forPeers() gives");
  }

  @Override
  public boolean varyOverTime() {
    return false;
  }
}
