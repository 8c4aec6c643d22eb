package io.kindred.node;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerStep;
import io.kindred.node.audit.AuditTrail;
import io.kindred.node.log.NodeLog;
import io.kindred.node.recording.Recording;
import io.kindred.node.state.StateFiles;
import io.kindred.protocol.wire.Wire;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.json.Json;
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
 * Writes a node's state, status and recording to its disk. A disk that is full or missing does not
 * stop the node: it keeps serving, logs the failure once, and retries. Earlier saves stay intact,
 * as every file is replaced as a whole.
 */
final class StateStore implements AutoCloseable, AuditTrail.Disk {
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final String STATE = "state";
  private static final String STATUS = "status";
  private static final String AUDIT = "audit log";
  private static final String RECORDING = "recording";

  private interface WriteAction {
    void run() throws IOException;
  }

  private final NodePlan plan;
  private final NodeLog log;
  private final StateFiles stateFiles;
  private final Optional<StateFiles.Saved> restored;
  private final SortedMap<String, Long> failedWrites = new TreeMap<>();
  private final SortedSet<String> failing = new TreeSet<>();
  private @Nullable Recording recording;
  private boolean saveOverdue;
  private long lastAttempt;

  /** Reads the saved state of an earlier incarnation. */
  StateStore(NodePlan plan, Peer peer, Wire wire, NodeLog log) {
    this.plan = plan;
    this.log = log;
    stateFiles = new StateFiles(plan.stateFolder(), peer, wire);
    try {
      restored = stateFiles.newest(line -> log.warn("damaged-state", "{}", line));
      recording =
          plan.output().recordsEvents() ? new Recording(plan.recordingFile(), peer, wire) : null;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + plan.folder(), e);
    }
  }

  Optional<StateFiles.Saved> restored() {
    return restored;
  }

  /** Records the start of an incarnation. */
  void beginIncarnation() {
    record(open -> open.beginIncarnation(restored.map(StateFiles.Saved::state)));
  }

  void recordStep(@Nullable Component component, Event event, PeerStep step) {
    record(open -> open.recordStep(component, event, step));
  }

  private interface RecordingEntry {
    void writeTo(Recording open);
  }

  /**
   * A recording with a gap would replay differently, so a failed recording ends for this
   * incarnation.
   */
  private void record(RecordingEntry recordingEntry) {
    Recording open = recording;
    if (open != null && !attempt(RECORDING, () -> recordingEntry.writeTo(open))) {
      recording = null;
      log.warn("disk", "the recording is incomplete and ends until the next restart");
    }
  }

  void save(StateFiles.Saved saved) {
    saveOverdue = !attempt(STATE, () -> stateFiles.write(saved));
    lastAttempt = System.nanoTime();
  }

  /** Whether a save failed and is due for a retry. */
  boolean saveOverdue() {
    return saveOverdue && System.nanoTime() - lastAttempt >= RETRY_NANOS;
  }

  void write(NodeStatus status) {
    attempt(STATUS, () -> AtomicFile.writeText(plan.statusFile(), Json.document(status)));
  }

  /** Writes to the audit log. */
  @Override
  public boolean attempt(AuditTrail.Action action) {
    return attempt(AUDIT, action::run);
  }

  private boolean attempt(String what, WriteAction writeAction) {
    try {
      writeAction.run();
      if (markSucceeded(what)) {
        log.info("disk", "the {} can be written again", what);
      }
      return true;
    } catch (IOException | UncheckedIOException refused) {
      if (markFailed(what)) {
        log.warn(
            "disk",
            "cannot write the {} in {} ({}); the node continues and retries",
            what,
            plan.folder(),
            reason(refused),
            refused);
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

  private synchronized boolean markFailed(String what) {
    failedWrites.merge(what, 1L, Long::sum);
    return failing.add(what);
  }

  private synchronized boolean markSucceeded(String what) {
    return failing.remove(what);
  }

  /** Failed writes in this incarnation, by file. */
  synchronized SortedMap<String, Long> failedWrites() {
    return new TreeMap<>(failedWrites);
  }

  /** Whether the last write of any file failed. */
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
