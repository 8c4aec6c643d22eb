package io.kindred.environment.radio;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.TextFiles;
import io.kindred.environment.trace.Timeline;
import io.kindred.environment.trace.TraceFile;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Gains from a file, such as those of a ray tracer; fading comes on top. A gain holds from the time
 * of its row until the next row of the same direction. A direction without rows has the gain of the
 * other one, because channels are reciprocal, and a pair without rows does not hear each other.
 */
@Named(value = "trace", summary = "gains are what a file says at its times")
public record GainTrace(
    @Setting(
            doc =
                "path of the file, relative to the working directory: a line of column names, from,"
                    + " to, gainDb and optionally seconds, then a line for each gain",
            fallback = "gains.csv")
        String path)
    implements GainSource {
  @Override
  public GainSource read(int peers, TextFiles files) {
    TreeMap<Integer, TreeMap<Integer, Timeline<Double>>> gains = new TreeMap<>();
    for (TraceFile.Row row :
        TraceFile.read("network.links.gains.path", path, files, List.of("from", "to", "gainDb"))
            .rows()) {
      int from = row.peer("from", peers);
      int to = row.peer("to", peers);
      // No receiver gets more power than was sent.
      double gain = PathLoss.ratio(row.number("gainDb", -1000, 0));
      if (from == to) {
        throw row.invalid("peer " + from + " has no link to itself");
      }
      if (!gains
          .computeIfAbsent(from, unseen -> new TreeMap<>())
          .computeIfAbsent(to, unseen -> new Timeline<>())
          .add(row.seconds(), gain)) {
        throw row.invalid("this direction has two gains at this time");
      }
    }
    return new Recorded(gains);
  }

  @Override
  public OptionalDouble gain(double seconds, int from, int to) {
    throw new IllegalStateException("call read() before gain()");
  }

  @Override
  public boolean varyOverTime() {
    return true;
  }

  /** The gains that the file lists, by sender and receiver. */
  private record Recorded(TreeMap<Integer, TreeMap<Integer, Timeline<Double>>> gains)
      implements GainSource {
    @Override
    public OptionalDouble gain(double seconds, int from, int to) {
      Timeline<Double> own = gains.getOrDefault(from, new TreeMap<>()).get(to);
      Timeline<Double> reverse = gains.getOrDefault(to, new TreeMap<>()).get(from);
      Timeline<Double> known = own == null ? reverse : own;
      return OptionalDouble.of(known == null ? 0 : known.at(seconds).orElse(0.0));
    }

    @Override
    public boolean varyOverTime() {
      return gains.values().stream()
          .map(Map::values)
          .anyMatch(each -> each.stream().anyMatch(Timeline::changes));
    }
  }
}
