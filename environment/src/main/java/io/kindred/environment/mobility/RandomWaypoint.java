package io.kindred.environment.mobility;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.environment.radio.PeerPositions.Position;
import java.util.ArrayList;
import java.util.List;

/**
 * Random waypoints (Johnson and Maltz, 1996): each peer walks straight to a point drawn in the
 * square, at a speed drawn for this walk, waits there, and draws the next point.
 */
@Named(
    value = "waypoint",
    summary = "each peer walks to random points of the square, one after another")
public record RandomWaypoint(
    @Setting(
            doc =
                "lowest speed in metres a second; speeds near 0 make walks of hours, after which"
                    + " hardly a peer moves",
            fallback = "0.5",
            above = 0,
            max = 1000)
        double leastMetresPerSecond,
    @Setting(doc = "highest speed in metres a second", fallback = "1.5", above = 0, max = 1000)
        double mostMetresPerSecond,
    @Setting(
            doc = "seconds that a peer waits at each point",
            fallback = "0",
            min = 0,
            max = 1_000_000)
        double pauseSeconds)
    implements Mobility {
  private static final Purpose MOVEMENT = new Purpose("movement");

  public RandomWaypoint {
    if (leastMetresPerSecond > mostMetresPerSecond) {
      throw new SettingException(
          "leastMetresPerSecond",
          "the lowest speed is above the highest",
          "choose at most " + mostMetresPerSecond);
    }
  }

  @Override
  public boolean moves() {
    return true;
  }

  @Override
  public Movement from(PeerPositions placed, double sideMetres, RandomStreams streams) {
    List<Walker> walkers = new ArrayList<>();
    for (int peer = 0; peer < placed.size(); peer++) {
      walkers.add(
          new Walker(peer, sideMetres, streams, new Leg(0, 0, at(placed, peer), at(placed, peer))));
    }
    return seconds ->
        new PeerPositions(walkers.stream().map(walker -> walker.at(seconds)).toList());
  }

  private static Position at(PeerPositions placed, int peer) {
    return placed.positions().get(peer);
  }

  /**
   * A straight walk and the wait after it.
   *
   * @param arrival when the peer reaches the end of the walk
   */
  private record Leg(double start, double arrival, Position from, Position to) {
    Position at(double seconds) {
      if (seconds >= arrival) {
        return to;
      }
      double share = (seconds - start) / (arrival - start);
      return new Position(
          from.x() + share * (to.x() - from.x()), from.y() + share * (to.y() - from.y()));
    }
  }

  /** The walks of one peer up to the latest time asked. */
  private final class Walker {
    private final int peer;
    private final double sideMetres;
    private final RandomStreams streams;
    private final List<Leg> legs = new ArrayList<>();

    Walker(int peer, double sideMetres, RandomStreams streams, Leg first) {
      this.peer = peer;
      this.sideMetres = sideMetres;
      this.streams = streams;
      legs.add(first);
    }

    synchronized Position at(double seconds) {
      while (legs.getLast().arrival() + pauseSeconds <= seconds) {
        legs.add(next(legs.getLast()));
      }
      int low = 0;
      int high = legs.size() - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (legs.get(middle).start() <= seconds) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return legs.get(low).at(seconds);
    }

    private Leg next(Leg last) {
      RandomStream random = streams.stream(MOVEMENT, peer, legs.size());
      Position to = new Position(random.uniform(0, sideMetres), random.uniform(0, sideMetres));
      double speed = random.uniform(leastMetresPerSecond, mostMetresPerSecond);
      double start = last.arrival() + pauseSeconds;
      return new Leg(start, start + last.to().distanceMetresTo(to) / speed, last.to(), to);
    }
  }
}
