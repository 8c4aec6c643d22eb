package io.kindred.environment.link;

import java.util.List;
import java.util.stream.Collectors;

/** The warning about peers that links leave without a neighbour. */
final class LonePeers {
  private LonePeers() {}

  /**
   * Names the peers; empty if there are none.
   *
   * @param cause has {@code %s} in place of the peers
   */
  static List<String> warning(List<Integer> alone, String cause, String remedy) {
    if (alone.isEmpty()) {
      return List.of();
    }
    boolean one = alone.size() == 1;
    String names =
        (one ? "peer " : "peers ")
            + alone.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return List.of(
        cause.replace("%s", names)
            + (one
                ? ", so this peer has no neighbour and trains alone; "
                : ", so these peers have no neighbour and train alone; ")
            + remedy);
  }
}
