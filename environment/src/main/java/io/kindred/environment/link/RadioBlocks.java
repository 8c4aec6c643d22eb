package io.kindred.environment.link;

import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.RadioField;
import io.kindred.environment.radio.RadioMedium;

/** What the shell needs in order to carry messages over radio, block by block. */
public final class RadioBlocks {
  private final RadioLinks settings;
  private final RadioMedium medium;
  private final int peers;

  RadioBlocks(RadioLinks settings, RadioField radioField, RandomStreams streams) {
    this.settings = settings;
    peers = radioField.positions().size();
    medium =
        new RadioMedium(
            settings.channel(),
            radioField,
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
    return from < peers && to < peers && from != to;
  }

  public long blockTicks() {
    return Math.max(1, Ticks.ofSeconds(settings.transfer().blockSeconds()));
  }

  public double bytesPerSecond() {
    return settings.channel().bytesPerSecond();
  }

  /** The ratio of signal to interference and noise from which on a block is decoded. */
  public double sinrThreshold() {
    return settings.channel().sinrThreshold();
  }

  /** The energy of so much time transmitting and receiving. */
  public double joules(long sendingTicks, long receivingTicks) {
    return settings.joules(sendingTicks, receivingTicks);
  }
}
