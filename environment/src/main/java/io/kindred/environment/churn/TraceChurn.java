package io.kindred.environment.churn;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.LivenessView;
import java.util.ArrayList;
import java.util.List;

/**
 * Peers leave and return as a file says, line by line: {@code seconds,peer,what}, where what is
 * leave, crash, forget, return, pause or resume. What follows a # is a comment.
 */
@Named(value = "trace", summary = "peers leave and return at the times that a file lists")
public record TraceChurn(
    @Setting(
            doc =
                "path of the file, relative to the working directory; its lines are"
                    + " seconds,peer,what",
            fallback = "churn.csv")
        String path)
    implements ChurnModel {
  @Override
  public ChurnModel read(int peers, TextFiles files) {
    String text =
        files
            .read(path)
            .orElseThrow(
                () ->
                    new SettingException(
                        "churn.path", "there is no file " + path, "correct the path"));
    List<FaultEvent> faults = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        faults.add(change(line, i + 1, peers));
      }
    }
    return new RecordedEvents(faults);
  }

  private FaultEvent change(String line, int number, int peers) {
    String[] words = line.split(",", -1);
    if (words.length != 3) {
      throw invalidLine(number, "'" + line + "' does not have the form seconds,peer,what");
    }
    try {
      long tick = Ticks.ofSeconds(Double.parseDouble(words[0].strip()));
      int peer = Integer.parseInt(words[1].strip());
      if (tick < 0 || peer < 0 || peer >= peers) {
        throw invalidLine(
            number, "the time must be at least 0 and the peer a number from 0 to " + (peers - 1));
      }
      return switch (words[2].strip()) {
        case "leave" -> new FaultEvent.Leave(tick, peer);
        case "crash" -> new FaultEvent.Crash(tick, peer, false);
        case "forget" -> new FaultEvent.Crash(tick, peer, true);
        case "return" -> new FaultEvent.Return(tick, peer);
        case "pause" -> new FaultEvent.Pause(tick, peer);
        case "resume" -> new FaultEvent.Resume(tick, peer);
        default ->
            throw invalidLine(
                number,
                "'"
                    + words[2].strip()
                    + "' is not one of leave, crash, forget, return, pause, resume");
      };
    } catch (NumberFormatException e) {
      throw invalidLine(number, "'" + line + "' does not begin with two numbers");
    }
  }

  private SettingException invalidLine(int line, String problem) {
    return new SettingException(
        "churn.path", path + ":" + line + ": " + problem, "correct the line");
  }

  @Override
  public List<FaultEvent> eventsDuring(
      Interval interval, LivenessView liveness, RandomStreams streams) {
    throw new IllegalStateException("call read() before eventsDuring()");
  }

  /** The events that the file lists. */
  private record RecordedEvents(List<FaultEvent> events) implements ChurnModel {
    RecordedEvents {
      events = List.copyOf(events);
    }

    @Override
    public List<FaultEvent> eventsDuring(
        Interval interval, LivenessView liveness, RandomStreams streams) {
      return events.stream()
          .filter(fault -> fault.tick() >= interval.startTick())
          .filter(fault -> fault.tick() < interval.startTick() + interval.ticks())
          .toList();
    }

    @Override
    public boolean isFaultFree() {
      return events.isEmpty();
    }
  }
}
