package io.kindred.environment.radio;

import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.PeerPositions.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Peers and the radio channel between them: the probability that a transmission from one to another
 * fails while all others interfere, and which neighbours a peer would therefore select (algorithm
 * 1, lines 1 to 5).
 */
public final class RadioField {
  private final Channel channel;
  private final PeerPositions positions;
  private final ChannelModel channelModel;
  private final Propagation propagation;
  private final GainSource gains;
  private final double seconds;

  /**
   * @param streams decide about lines of sight and shadowing, where the path loss has them
   */
  public RadioField(Channel channel, PeerPositions peerPositions, RandomStreams streams) {
    this(
        channel,
        peerPositions,
        new ChannelModel(channel),
        new Propagation(channel, streams),
        new ComputedGains(),
        0);
  }

  private RadioField(
      Channel channel,
      PeerPositions positions,
      ChannelModel channelModel,
      Propagation propagation,
      GainSource gains,
      double seconds) {
    this.channel = channel;
    this.positions = positions;
    this.channelModel = channelModel;
    this.propagation = propagation;
    this.gains = gains;
    this.seconds = seconds;
  }

  /** The same peers with gains from another source. */
  public RadioField withGains(GainSource other) {
    return new RadioField(channel, positions, channelModel, propagation, other, seconds);
  }

  /** The same surroundings at another time, with the peers at other positions. */
  public RadioField at(double otherSeconds, PeerPositions moved) {
    return new RadioField(channel, moved, channelModel, propagation, gains, otherSeconds);
  }

  public PeerPositions positions() {
    return positions;
  }

  /** The probability that a transmission between two peers cannot be decoded. */
  public double errorProbability(int from, int to) {
    return channelModel.errorProbability(meanWatts(from, to), interference(from, -1, to));
  }

  /** The same if one of the interferers were silent. */
  double errorWithout(int silent, int from, int to) {
    return channelModel.errorProbability(meanWatts(from, to), interference(from, silent, to));
  }

  /** The probability that a transmission of an additional sender at this position fails. */
  public double errorAt(Position position, int to) {
    double gain = propagation.gain(position, positions.positions().get(to));
    return channelModel.errorProbability(channel.powerWatts() * gain, interference(-1, -1, to));
  }

  /** The power of a transmission at a receiver at fading power one. */
  double meanWatts(int from, int to) {
    return channel.powerWatts() * gain(from, to);
  }

  /** The share of the sent power that arrives on the mean, at fading power one. */
  public double gain(int from, int to) {
    return gains
        .gain(seconds, from, to)
        .orElseGet(
            () -> propagation.gain(positions.positions().get(from), positions.positions().get(to)));
  }

  /** Whether two peers see each other, which only some path losses distinguish. */
  public boolean sees(int from, int to) {
    return propagation.sees(positions.positions().get(from), positions.positions().get(to));
  }

  private Interference interference(int sender, int silent, int to) {
    List<Double> watts = new ArrayList<>();
    for (int other = 0; other < positions.size(); other++) {
      if (other != sender && other != silent && other != to) {
        watts.add(meanWatts(other, to));
      }
    }
    return channelModel.interferenceOf(watts);
  }

  /** The neighbours that a target selects: peers whose transmissions fail less often than this. */
  public Selection select(int target, double epsilon) {
    List<Selection.Candidate> candidates = new ArrayList<>();
    for (int peer = 0; peer < positions.size(); peer++) {
      if (peer != target) {
        double error = errorProbability(peer, target);
        candidates.add(
            new Selection.Candidate(
                peer, positions.distanceMetres(peer, target), error, error < epsilon));
      }
    }
    return new Selection(target, candidates);
  }

  /**
   * The cost of each peer to a target: by how much the candidates' error probability would fall, on
   * the mean, if that peer were silent. The highest cost comes first.
   */
  public List<Selection.Cost> interferenceCosts(Selection selection) {
    List<Selection.Cost> costs = new ArrayList<>();
    List<Selection.Candidate> candidates = selection.candidates();
    for (Selection.Candidate interferer : candidates) {
      double gained = 0;
      for (Selection.Candidate sender : candidates) {
        if (sender.peer() != interferer.peer()) {
          gained +=
              sender.error() - errorWithout(interferer.peer(), sender.peer(), selection.target());
        }
      }
      double others = Math.max(1, candidates.size() - 1);
      costs.add(new Selection.Cost(interferer.peer(), gained / others));
    }
    costs.sort(Comparator.comparingDouble(Selection.Cost::error).reversed());
    return costs;
  }
}
