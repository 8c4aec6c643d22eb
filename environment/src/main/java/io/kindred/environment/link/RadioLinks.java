package io.kindred.environment.link;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.environment.mobility.Mobility;
import io.kindred.environment.mobility.StillPeers;
import io.kindred.environment.radio.Channel;
import io.kindred.environment.radio.ComputedGains;
import io.kindred.environment.radio.GainSource;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.environment.radio.RadioField;

/**
 * Device-to-device radio in an unlicensed band (pFedWN, section III.B): peers lie in a square, all
 * transmissions disturb each other, and neighbours are peers whose transmissions fail rarely enough
 * (algorithm 1).
 */
@Buildable
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
    @Setting(
            doc =
                "how peers move; the selection of neighbours is that of the first positions, and"
                    + " rates, interference and errors follow the movement",
            fallback = "still")
        Mobility mobility,
    @Setting(
            doc = "where the share of the sent power that arrives comes from, before fading",
            fallback = "computed")
        GainSource gains,
    @Setting(doc = "how messages are transferred", fallback = "{}") RadioTransfers transfer,
    @Setting(doc = "latency in seconds", fallback = "0.005", above = 0, max = 3600)
        double latencySeconds)
    implements LinkModel {
  public RadioLinks {
    if (channel.pathLoss().referenceMetres() > sideMetres) {
      throw new SettingException(
          "channel.pathLoss.referenceMetres",
          "every distance in a square of " + sideMetres + " metres is below the reference distance",
          "choose at most " + sideMetres);
    }
  }

  /** Peers that stay where they are placed, with the gains of the path loss. */
  public RadioLinks(
      Channel channel,
      double sideMetres,
      double epsilon,
      int target,
      RadioTransfers transfer,
      double latencySeconds) {
    this(
        channel,
        sideMetres,
        epsilon,
        target,
        new StillPeers(),
        new ComputedGains(),
        transfer,
        latencySeconds);
  }

  /** The energy of so much time transmitting and receiving. */
  public double joules(long sendingTicks, long receivingTicks) {
    return Ticks.toSeconds(sendingTicks) * channel.powerWatts() / transfer.efficiency()
        + Ticks.toSeconds(receivingTicks) * transfer.receiveWatts();
  }

  /** The positions and the channel of the peers of a run at its start. */
  public RadioField radioField(int peers, RandomStreams streams) {
    return scene(peers, streams).at(0);
  }

  private RadioScene scene(int peers, RandomStreams streams) {
    PeerPositions placed =
        PeerPositions.uniform(peers, sideMetres, streams.stream(Purpose.PLACEMENT, 0, 0));
    Mobility.Movement movement = mobility.from(placed, sideMetres, streams);
    RadioField first = new RadioField(channel, movement.at(0), streams).withGains(gains);
    return new RadioScene(first, movement, varyOverTime(), epsilon);
  }

  @Override
  public RadioLinks read(int peers, TextFiles files) {
    return RadioLinksBuilder.from(this)
        .mobility(mobility.read(peers, files))
        .gains(gains.read(peers, files))
        .build();
  }

  @Override
  public LinkModel forPeers(int peers, double roundSeconds, RandomStreams streams) {
    if (target >= peers) {
      throw new SettingException(
          "network.links.target",
          "there is no peer " + target + " among " + peers,
          "choose at most " + (peers - 1));
    }
    return new RadioPaths(this, scene(peers, streams), roundSeconds, streams);
  }

  @Override
  public Link between(int from, int to, long round, RandomStreams streams) {
    throw new IllegalStateException(
        "RadioLinks does not know the other transmitters; call between() on the result"
            + " of forPeers()");
  }

  @Override
  public boolean varyOverTime() {
    return mobility.moves() || gains.varyOverTime();
  }
}
