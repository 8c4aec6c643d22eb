package io.kindred.world;

import io.kindred.core.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import java.util.ArrayList;
import java.util.List;

/**
 * Peers come and go as a file says, line by line: {@code seconds,peer,what}, where what is leave,
 * crash, forget, return, pause or resume. What follows a # is a comment.
 */
@Named(value = "trace", summary = "peers come and go as a file says")
public record TraceChurn(
    @Setting(
            doc = "the file, as seen from the folder of the command: lines of seconds,peer,what",
            fallback = "churn.csv")
        String path)
    implements Churn {
  @Override
  public Churn read(int peers, TextFiles files) {
    String text =
        files
            .read(path)
            .orElseThrow(
                () ->
                    new Complaint(
                        "churn.path", "there is no file " + path, "name one that is there"));
    List<Change> changes = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        changes.add(change(line, i + 1, peers));
      }
    }
    return new Timetable(changes);
  }

  private Change change(String line, int number, int peers) {
    String[] words = line.split(",", -1);
    if (words.length != 3) {
      throw wrong(number, "'" + line + "' is not of the form seconds,peer,what");
    }
    try {
      long tick = Ticks.ofSeconds(Double.parseDouble(words[0].strip()));
      int peer = Integer.parseInt(words[1].strip());
      if (tick < 0 || peer < 0 || peer >= peers) {
        throw wrong(number, "time 0 or later and peers 0 to " + (peers - 1) + " are known");
      }
      return switch (words[2].strip()) {
        case "leave" -> new Change.Leave(tick, peer);
        case "crash" -> new Change.Crash(tick, peer, false);
        case "forget" -> new Change.Crash(tick, peer, true);
        case "return" -> new Change.Return(tick, peer);
        case "pause" -> new Change.Pause(tick, peer);
        case "resume" -> new Change.Resume(tick, peer);
        default ->
            throw wrong(
                number,
                "'"
                    + words[2].strip()
                    + "' is none of leave, crash, forget, return, pause, resume");
      };
    } catch (NumberFormatException e) {
      throw wrong(number, "'" + line + "' does not begin with two numbers");
    }
  }

  private Complaint wrong(int line, String problem) {
    return new Complaint("churn.path", path + ":" + line + ": " + problem, "correct the line");
  }

  @Override
  public List<Change> during(Round round, Presence presence, RandomStreams streams) {
    throw new IllegalStateException("the file has not been read");
  }

  /** What the file says. */
  private record Timetable(List<Change> changes) implements Churn {
    Timetable {
      changes = List.copyOf(changes);
    }

    @Override
    public List<Change> during(Round round, Presence presence, RandomStreams streams) {
      return changes.stream()
          .filter(change -> change.tick() >= round.startTick())
          .filter(change -> change.tick() < round.startTick() + round.ticks())
          .toList();
    }

    @Override
    public boolean isCalm() {
      return changes.isEmpty();
    }
  }
}
