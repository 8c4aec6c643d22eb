package io.kindred.node.trainer;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import java.util.List;
import java.util.Optional;

/**
 * The trainer of a node: the built-in one, a process that the node starts, or one that runs
 * already.
 */
public record TrainerSettings(
    @Setting(
            doc = "command line that starts a trainer, from the folder of the file",
            fallback = "[]")
        List<String> command,
    @Setting(
            doc =
                "where a trainer that runs already listens: unix:PATH, or host:port on this machine")
        Optional<String> address,
    @Setting(
            doc = "whose samples: the experiment's, handed over in a file, or the trainer's own",
            fallback = "handed")
        Data data,
    @Setting(
            doc = "seconds after which a piece of work is given up and the trainer restarted",
            fallback = "600",
            above = 0,
            max = 1e6)
        double seconds,
    @Setting(
            doc = "seconds that a trainer may take to start",
            fallback = "60",
            above = 0,
            max = 86400)
        double startSeconds,
    @Setting(
            doc = "failures in a row after which the node stops",
            fallback = "5",
            min = 1,
            max = 1000)
        int attempts) {
  /** Whose samples a trainer trains on. */
  public enum Data {
    HANDED,
    OWN
  }

  public TrainerSettings {
    command = List.copyOf(command);
    if (!command.isEmpty() && address.isPresent()) {
      throw new SettingException(
          "trainer",
          "it has a command and an address",
          "give the command of a trainer to start, or the address of one that runs");
    }
    address.ifPresent(TrainerAddress::parse);
    if (command.isEmpty() && address.isEmpty() && data == Data.OWN) {
      throw new SettingException(
          "trainer.data",
          "the built-in trainer has no data of its own",
          "give trainer.command or trainer.address, or leave trainer.data out");
    }
  }

  /** Whether the node trains by itself. */
  public boolean isBuiltIn() {
    return command.isEmpty() && address.isEmpty();
  }
}
