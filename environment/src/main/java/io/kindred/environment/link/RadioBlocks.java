package io.kindred.environment.link;

import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.RadioMedium;
import io.kindred.environment.topology.Graph;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** What the shell needs in order to carry messages over radio, block by block. */
public final class RadioBlocks {
  private final RadioLinks settings;
  private final RadioScene scene;
  private final RadioMedium medium;
  private final RateChoice rates;

  RadioBlocks(RadioLinks settings, RadioScene scene, RandomStreams streams) {
    this.settings = settings;
    this.scene = scene;
    rates = settings.transfer().rates(settings.channel());
    medium =
        new RadioMedium(
            settings.channel(),
            block -> scene.at(Ticks.toSeconds(block * blockTicks())),
            settings.transfer().interferers() == RadioTransfers.Interferers.SATURATED,
            streams);
  }

  public RadioMedium medium() {
    return medium;
  }

  public RadioTransfers transfer() {
    return settings.transfer();
  }

  /** Whether messages between two participants go by radio; a server is reached by wire. */
  public boolean connects(int from, int to) {
    return from < scene.peers() && to < scene.peers() && from != to;
  }

  public long blockTicks() {
    return Math.max(1, Ticks.ofSeconds(settings.transfer().blockSeconds()));
  }

  /** How senders choose the rate of a block. */
  public RateChoice rates() {
    return rates;
  }

  /**
   * How many neighbours a peer selects, on the mean over all peers that select; empty where no peer
   * selects.
   *
   * @param reachable the graph after all peers have selected
   */
  public OptionalDouble meanSelectedNeighbours(Graph reachable) {
    if (settings.epsilon() >= 1) {
      return OptionalDouble.empty();
    }
    return IntStream.range(0, reachable.peers())
        .filter(peer -> settings.target() < 0 || peer == settings.target())
        .mapToLong(
            peer ->
                Arrays.stream(reachable.neighbours().get(peer).shared())
                    .filter(other -> scene.selects(peer, other))
                    .count())
        .average();
  }

  /** The energy of so much time transmitting and receiving. */
  public double joules(long sendingTicks, long receivingTicks) {
    return settings.joules(sendingTicks, receivingTicks);
  }
}
