package io.kindred.node.audit;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.node.identity.Identity;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the audit log what a node asks for, sends, receives, mixes and refuses. A disk that
 * accepts no lines does not stop the node; the next line that can be written says how many are
 * missing.
 */
public final class AuditTrail implements AutoCloseable, Refusals.Listener {
  /** Received models whose sender is remembered, to name it when they are mixed. */
  private static final int MOST_REMEMBERED = 1_024;

  /** Writes to the disk, and counts and logs failures. */
  public interface Disk {
    boolean attempt(Action action);
  }

  /** A write that may fail. */
  public interface Action {
    void run() throws IOException;
  }

  /**
   * The end of the log.
   *
   * @param lines number of the last line
   * @param head hash of the last line
   */
  public record Head(long lines, String head) {
    /** A log without lines. */
    public static final Head NONE = new Head(0, AuditLine.NO_LINE);
  }

  private final AuditFiles files;
  private final Identity identity;
  private final Supplier<Instant> clock;
  private final Disk disk;
  private final long fullBytes;
  private final Map<Digest, PeerId> senders =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Digest, PeerId> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };
  private final SortedMap<String, AuditEntry> repeated = new TreeMap<>();
  private @Nullable AuditLog log;
  private Head closedHead = Head.NONE;
  private long missing;
  private boolean unsigned;
  private @Nullable X509Certificate stated;

  /** The trail of a node that writes to this folder. */
  public AuditTrail(Path folder, Identity identity, Disk disk) {
    this(folder, identity, disk, Instant::now, AuditLog.FULL_BYTES);
  }

  AuditTrail(Path folder, Identity identity, Disk disk, Supplier<Instant> clock, long fullBytes) {
    this.files = new AuditFiles(folder);
    this.identity = identity;
    this.disk = disk;
    this.clock = clock;
    this.fullBytes = fullBytes;
  }

  /** The node starts, with this task. */
  public synchronized void started(String task) {
    add(AuditEntry.of("started", own(), serial(identity.certificate())).withText(task));
  }

  private long own() {
    return identity.member().peer().number();
  }

  /** The node sends a message; only one that asks for a model or has models is written. */
  public synchronized void sends(
      PeerId to, Optional<String> certificate, Message message, List<Weights> models) {
    if (message.asksForModel()) {
      add(AuditEntry.of("asked", to.number(), certificate.orElse(null)));
    }
    if (!models.isEmpty()) {
      add(
          AuditEntryBuilder.from(AuditEntry.of("sent", to.number(), certificate.orElse(null)))
              .models(models.stream().map(each -> each.digest().hex()).toList())
              .build());
    }
  }

  /** The node has received models of a peer. */
  public synchronized void received(
      PeerId from, Optional<String> certificate, List<Digest> models) {
    if (models.isEmpty()) {
      return;
    }
    models.forEach(each -> senders.put(each, from));
    add(
        AuditEntryBuilder.from(AuditEntry.of("received", from.number(), certificate.orElse(null)))
            .models(models.stream().map(Digest::hex).toList())
            .build());
  }

  /** The node computes a ticket; only mixtures with models of other peers are written. */
  public synchronized void computes(Ticket ticket) {
    if (ticket instanceof Ticket.Mix mix) {
      mixed("mixed", mix.mixture());
    }
  }

  /** The node uses a predictor; only one with models of other peers in it is written. */
  public synchronized void uses(Predictor predictor) {
    if (predictor instanceof Predictor.Ensemble ensemble) {
      mixed("ensemble", ensemble.members());
    }
  }

  private void mixed(String event, Mixture mixture) {
    List<AuditEntry.Share> shares = new ArrayList<>();
    boolean foreign = false;
    for (MixturePart part : mixture.parts()) {
      Digest digest = part.weights().digest();
      PeerId sender = senders.get(digest);
      foreign |= sender != null;
      shares.add(
          new AuditEntry.Share(
              digest.hex(), sender == null ? null : sender.number(), part.coefficient()));
    }
    if (foreign) {
      add(AuditEntryBuilder.from(AuditEntry.of(event)).shares(shares).build());
    }
  }

  /**
   * The node refuses something. The first refusal of a kind and a peer is written at once; the next
   * ones only as a number, so that no peer can fill the disk.
   */
  @Override
  public synchronized void refused(
      RefusalKind kind, Optional<Refusals.Offender> offender, String line) {
    AuditEntry entry =
        offender
            .map(
                each ->
                    AuditEntry.of(
                        kind.label(),
                        each.member().peer().number(),
                        each.certificate().orElse(null)))
            .orElseGet(() -> AuditEntry.of(kind.label()));
    String key = kind.label() + " " + offender.map(each -> each.member().uri()).orElse("");
    AuditEntry before = repeated.get(key);
    if (before == null) {
      add(entry.withText(line));
      repeated.put(key, AuditEntryBuilder.from(entry).count(0L).build());
    } else {
      Long count = before.count();
      repeated.put(
          key,
          AuditEntryBuilder.from(before).count(count == null ? 1 : count + 1).text(line).build());
    }
  }

  /** Writes how often refusals were repeated, and signs the lines since the last signature. */
  public synchronized void sign() {
    repeated.forEach(
        (key, entry) -> {
          Long count = entry.count();
          if (count != null && count > 0) {
            add(entry);
          }
        });
    repeated.clear();
    AuditLog open = log;
    if (open != null && unsigned && disk.attempt(() -> sign(open))) {
      unsigned = false;
    }
  }

  /** Each file names the certificate, so that it can be checked without the files before it. */
  private void sign(AuditLog open) throws IOException {
    if (open.sign()) {
      stated = null;
    }
  }

  private void add(AuditEntry entry) {
    boolean written =
        disk.attempt(
            () -> {
              AuditLog open = open();
              if (missing > 0) {
                open.append(missingLines());
                missing = 0;
              }
              stateCertificate(open);
              open.append(entry);
            });
    if (written) {
      unsigned = true;
    } else {
      missing++;
    }
  }

  private AuditEntry missingLines() {
    return AuditEntryBuilder.from(AuditEntry.of("missing"))
        .count(missing)
        .text("the disk accepted no lines")
        .build();
  }

  /** Signatures are checked against the certificate that the log has stated last. */
  private void stateCertificate(AuditLog open) throws IOException {
    X509Certificate current = identity.certificate();
    if (!current.equals(stated)) {
      open.append(
          AuditEntryBuilder.from(AuditEntry.of("certificate", own(), serial(current)))
              .chain(identity.credentials().chain().stream().map(AuditTrail::encoded).toList())
              .build());
      stated = current;
    }
  }

  private static String serial(X509Certificate certificate) {
    return certificate.getSerialNumber().toString(16);
  }

  private static String encoded(X509Certificate certificate) {
    try {
      return Base64.getEncoder().encodeToString(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read", e);
    }
  }

  private AuditLog open() throws IOException {
    AuditLog known = log;
    if (known == null) {
      known = AuditLog.open(files, identity, clock, fullBytes);
      log = known;
    }
    return known;
  }

  /** The end of the log, to compare with later. */
  public synchronized Head head() {
    AuditLog open = log;
    return open == null ? closedHead : new Head(open.number(), open.head());
  }

  /** Signs what is there and closes the file. */
  @Override
  public synchronized void close() {
    sign();
    AuditLog open = log;
    if (open != null) {
      // The last status is written after the log is closed, and names its end as well.
      closedHead = head();
      disk.attempt(open::close);
      log = null;
    }
  }
}
