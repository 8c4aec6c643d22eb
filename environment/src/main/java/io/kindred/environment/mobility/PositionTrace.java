package io.kindred.environment.mobility;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.environment.radio.PeerPositions.Position;
import io.kindred.environment.trace.TraceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Peers are where a file says, on straight lines between the times of its rows. A peer waits at its
 * first position until the time of that row, and at its last one after the time of that.
 */
@Named(value = "trace", summary = "peers are where a file says at its times")
public record PositionTrace(
    @Setting(
            doc =
                "path of the file, relative to the working directory: a line of column names, peer,"
                    + " x and y in metres and optionally seconds, then a line for each position",
            fallback = "positions.csv")
        String path)
    implements Mobility {
  private static final String KEY = "network.links.mobility.path";

  @Override
  public Mobility read(int peers, TextFiles files) {
    List<TreeMap<Double, Position>> positions = new ArrayList<>();
    for (int peer = 0; peer < peers; peer++) {
      positions.add(new TreeMap<>());
    }
    for (TraceFile.Row row : TraceFile.read(KEY, path, files, List.of("peer", "x", "y")).rows()) {
      Position position = new Position(row.number("x", -1e9, 1e9), row.number("y", -1e9, 1e9));
      int peer = row.peer("peer", peers);
      if (positions.get(peer).putIfAbsent(row.seconds(), position) != null) {
        throw row.invalid("peer " + peer + " has two positions at this time");
      }
    }
    for (int peer = 0; peer < peers; peer++) {
      if (positions.get(peer).isEmpty()) {
        throw new SettingException(
            KEY, path + " has no position of peer " + peer, "add a line, or set 'peers' lower");
      }
    }
    return new Recorded(positions);
  }

  @Override
  public boolean moves() {
    return true;
  }

  @Override
  public Movement from(PeerPositions placed, double sideMetres, RandomStreams streams) {
    throw new IllegalStateException("call read() before from()");
  }

  /** The positions that the file lists, by time, for each peer. */
  private record Recorded(List<TreeMap<Double, Position>> positions) implements Mobility {
    @Override
    public boolean moves() {
      return positions.stream().anyMatch(each -> each.size() > 1);
    }

    @Override
    public Movement from(PeerPositions placed, double sideMetres, RandomStreams streams) {
      return seconds ->
          new PeerPositions(positions.stream().map(each -> between(each, seconds)).toList());
    }

    private static Position between(TreeMap<Double, Position> times, double seconds) {
      Map.Entry<Double, Position> before = times.floorEntry(seconds);
      Map.Entry<Double, Position> after = times.ceilingEntry(seconds);
      if (before == null) {
        return times.firstEntry().getValue();
      }
      if (after == null || after.getKey().equals(before.getKey())) {
        return before.getValue();
      }
      double share = (seconds - before.getKey()) / (after.getKey() - before.getKey());
      Position from = before.getValue();
      Position to = after.getValue();
      return new Position(
          from.x() + share * (to.x() - from.x()), from.y() + share * (to.y() - from.y()));
    }
  }
}
