package io.kindred.environment.radio;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.PeerPositions.Position;
import org.hipparchus.special.Erf;

/** Path loss, line of sight and shadowing between any two positions; fading comes on top. */
final class Propagation {
  private static final Purpose SURROUNDINGS = new Purpose("surroundings");

  private final PathLoss pathLoss;
  private final double gigahertz;
  private final CorrelatedField sight;
  private final CorrelatedField visibleShadowing;
  private final CorrelatedField hiddenShadowing;

  Propagation(Channel channel, RandomStreams streams) {
    pathLoss = channel.pathLoss();
    gigahertz = channel.frequencyGigahertz();
    sight = new CorrelatedField(pathLoss.sightMetres(), streams.stream(SURROUNDINGS, 0, 0));
    visibleShadowing =
        new CorrelatedField(pathLoss.shadowingMetres(true), streams.stream(SURROUNDINGS, 0, 1));
    hiddenShadowing =
        new CorrelatedField(pathLoss.shadowingMetres(false), streams.stream(SURROUNDINGS, 0, 2));
  }

  /** Whether two positions see each other. */
  boolean sees(Position a, Position b) {
    double probability = pathLoss.sightProbability(a.distanceMetresTo(b));
    return probability >= 1 || Erf.erfc(-sight.between(a, b) / Math.sqrt(2)) / 2 < probability;
  }

  /** The share of the sent power that arrives on the mean, at fading power one. */
  double gain(Position a, Position b) {
    double metres = a.distanceMetresTo(b);
    if (!pathLoss.hasSurroundings()) {
      return pathLoss.gain(metres, gigahertz, true);
    }
    boolean sees = sees(a, b);
    double shadowing =
        pathLoss.shadowingDecibels(sees)
            * (sees ? visibleShadowing : hiddenShadowing).between(a, b);
    return pathLoss.gain(metres, gigahertz, sees) * PathLoss.ratio(shadowing);
  }
}
