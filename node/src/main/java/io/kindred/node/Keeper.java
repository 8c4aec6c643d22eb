package io.kindred.node;

import io.kindred.core.Component;
import io.kindred.core.Event;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerStep;
import io.kindred.files.disk.AtomicFile;
import io.kindred.files.json.Json;
import io.kindred.node.log.Log;
import io.kindred.node.recording.Recording;
import io.kindred.node.state.StateFiles;
import io.kindred.protocol.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings what a node knows to its disk. A disk that takes nothing, because it is full or gone, ends
 * no node: it serves on, says so once, and tries again. What was saved before stays, as every file
 * is replaced as a whole.
 */
final class Keeper implements AutoCloseable {
  private static final long NANOS_BETWEEN_TRIES = TimeUnit.SECONDS.toNanos(1);

  private static final String STATE = "state";
  private static final String STATUS = "status";
  private static final String RECORDING = "recording";

  private interface Writing {
    void run() throws IOException;
  }

  private final NodePlan plan;
  private final Log log;
  private final StateFiles states;
  private final Optional<StateFiles.Saved> found;
  private final SortedMap<String, Long> unwritten = new TreeMap<>();
  private final SortedSet<String> failing = new TreeSet<>();
  private @Nullable Recording recording;
  private boolean owesState;
  private long lastTry;

  /** Finds what an earlier life left. */
  Keeper(NodePlan plan, Peer peer, Wire wire, Log log) {
    this.plan = plan;
    this.log = log;
    states = new StateFiles(plan.states(), peer, wire);
    try {
      found = states.newest(line -> log.warn("damaged-state", line));
      recording = plan.records() ? new Recording(plan.recording(), peer, wire) : null;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + plan.folder(), e);
    }
  }

  Optional<StateFiles.Saved> found() {
    return found;
  }

  /** A life begins. */
  void begin() {
    record(open -> open.life(found.map(StateFiles.Saved::state)));
  }

  void stepped(@Nullable Component component, Event event, PeerStep step) {
    record(open -> open.stepped(component, event, step));
  }

  private interface Entry {
    void into(Recording open);
  }

  /** A recording with a gap replays to something else, so one that fails ends for this life. */
  private void record(Entry entry) {
    Recording open = recording;
    if (open != null && !attempt(RECORDING, () -> entry.into(open))) {
      recording = null;
      log.warn("disk", "nothing more is recorded in this life");
    }
  }

  void save(StateFiles.Saved saved) {
    owesState = !attempt(STATE, () -> states.write(saved));
    lastTry = System.nanoTime();
  }

  /** Whether a state that could not be saved should be tried again now. */
  boolean owesState() {
    return owesState && System.nanoTime() - lastTry >= NANOS_BETWEEN_TRIES;
  }

  void write(NodeStatus status) {
    attempt(STATUS, () -> AtomicFile.writeText(plan.status(), Json.document(status)));
  }

  private boolean attempt(String what, Writing writing) {
    try {
      writing.run();
      if (succeeded(what)) {
        log.info("disk", "the " + what + " can be written again");
      }
      return true;
    } catch (IOException | UncheckedIOException refused) {
      if (failed(what)) {
        log.warn(
            "disk",
            "cannot write the %s in %s (%s); the node goes on and tries again"
                .formatted(what, plan.folder(), reason(refused)));
      }
      return false;
    }
  }

  private static String reason(Exception refused) {
    Throwable cause = refused instanceof UncheckedIOException ? refused.getCause() : refused;
    return cause instanceof FileSystemException named && named.getReason() != null
        ? named.getReason()
        : String.valueOf(cause);
  }

  private synchronized boolean failed(String what) {
    unwritten.merge(what, 1L, Long::sum);
    return failing.add(what);
  }

  private synchronized boolean succeeded(String what) {
    return failing.remove(what);
  }

  /** How often what could not be written in this life. */
  synchronized SortedMap<String, Long> unwritten() {
    return new TreeMap<>(unwritten);
  }

  /** Whether the last try of anything failed. */
  synchronized boolean isFailing() {
    return !failing.isEmpty();
  }

  @Override
  public void close() {
    Recording open = recording;
    if (open != null) {
      attempt(RECORDING, open::close);
    }
  }
}
