package io.kindred.environment.link;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Ticks;
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
    summary = "radio between peers in a square: transmissions interfere, fail and are repeated")
public record RadioLinks(
    @Setting(doc = "the radio channel", fallback = "{}") Channel channel,
    @Setting(
            doc = "side of the square that peers lie in, in metres",
            fallback = "50",
            above = 0,
            max = 1e6)
        double sideMetres,
    @Setting(
            doc =
                "a peer selects neighbours whose transmissions to it fail with a probability"
                    + " below this; 1 keeps every edge of the topology, in both directions",
            fallback = "1",
            above = 0,
            max = 1)
        double epsilon,
    @Setting(
            doc =
                "the only peer that selects neighbours: it and its selection are connected with"
                    + " each other, all other peers stay isolated; -1 lets every peer select, and"
                    + " each receives the models of the neighbours that it selected",
            fallback = "-1",
            min = -1)
        int target,
    @Setting(doc = "how messages are transferred", fallback = "{}") RadioTransfers transfer,
    @Setting(doc = "latency in seconds", fallback = "0.005", above = 0) double latencySeconds)
    implements LinkModel {
  public RadioLinks {
    if (channel.pathLoss().referenceMetres() > sideMetres) {
      throw new SettingException(
          "channel.pathLoss.referenceMetres",
          "every distance in a square of " + sideMetres + " metres is below the reference distance",
          "choose at most " + sideMetres);
    }
  }

  /** The energy of so much time transmitting and receiving. */
  public double joules(long sendingTicks, long receivingTicks) {
    return Ticks.toSeconds(sendingTicks) * channel.powerWatts() / transfer.efficiency()
        + Ticks.toSeconds(receivingTicks) * transfer.receiveWatts();
  }

  /** The positions and the channel of the peers of a run. */
  public RadioField radioField(int peers, RandomStreams streams) {
    return new RadioField(
        channel,
        PeerPositions.uniform(peers, sideMetres, streams.stream(Purpose.PLACEMENT, 0, 0)),
        streams);
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
    throw new IllegalStateException(
        "RadioLinks does not know the other transmitters; call between() on the result"
            + " of forPeers()");
  }

  @Override
  public boolean varyOverTime() {
    return false;
  }
}
