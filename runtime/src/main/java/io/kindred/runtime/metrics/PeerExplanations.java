package io.kindred.runtime.metrics;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What each peer deploys and why, and which peers it learned from.
 *
 * @param groups what the groups have in common: planted or label; empty without groups
 */
public record PeerExplanations(Optional<String> groups, List<PeerExplanation> peers) {
  /**
   * So many of a peer's last evaluated rounds count: a model that was mixed in earlier is hardly
   * left in the peer's model.
   */
  private static final int LAST_ROUNDS = 5;

  /** Bounds memory and file: only peers with smaller numbers are explained. */
  private static final int MOST_PEERS = 2000;

  public PeerExplanations {
    peers = List.copyOf(peers);
  }

  /** The explanation of a peer; empty if there is none. */
  public Optional<PeerExplanation> of(long peer) {
    return peers.stream().filter(each -> each.peer() == peer).findFirst();
  }

  /** Collects the newest lines of each peer. */
  public static final class Collector {
    private final SortedMap<Long, MetricLine> newest = new TreeMap<>();
    private final SortedMap<Long, NavigableMap<Integer, MetricLine>> lines = new TreeMap<>();

    /** Adds all lines of a file. */
    public static Collector of(Path metrics) {
      Collector collector = new Collector();
      if (Files.isRegularFile(metrics)) {
        MetricsFile.read(metrics, collector::add);
      }
      return collector;
    }

    /** Adds a line; only models that a peer would deploy count. */
    public void add(MetricLine line) {
      if (line.peer() >= MOST_PEERS) {
        return;
      }
      if (!line.stage().equals("trained")) {
        newest.merge(line.peer(), line, (old, next) -> next.round() >= old.round() ? next : old);
      }
      if (line.stage().equals("mixed")) {
        NavigableMap<Integer, MetricLine> last =
            lines.computeIfAbsent(line.peer(), _ -> new TreeMap<>());
        last.put(line.round(), line);
        if (last.size() > LAST_ROUNDS) {
          last.pollFirstEntry();
        }
      }
    }

    /** The newest evaluation of a peer; empty if it was never evaluated. */
    public Optional<MetricLine> newest(long peer) {
      return Optional.ofNullable(newest.get(peer));
    }

    /** The explanations; empty if the method reports neither choices nor mixed models. */
    public Optional<PeerExplanations> explanations(Optional<PeerGroups> groups) {
      List<PeerExplanation> peers =
          lines.values().stream()
              .map(last -> PeerExplanation.of(List.copyOf(last.values()), groups))
              .flatMap(Optional::stream)
              .toList();
      return peers.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new PeerExplanations(
                  groups.map(each -> each.kind().name().toLowerCase(Locale.ROOT)), peers));
    }
  }
}
