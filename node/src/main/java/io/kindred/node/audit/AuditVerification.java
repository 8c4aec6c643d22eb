package io.kindred.node.audit;

import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Checks the chain and the signatures of an audit log. */
public final class AuditVerification {
  /**
   * What the check found.
   *
   * @param files files that were read, the earliest first
   * @param firstNumber number of the first line; above 1 if earlier files are not there
   * @param lastNumber number of the last line
   * @param signedThrough number of the last line that a signature covers
   * @param head hash of the last line
   * @param events lines by the kind of their event
   * @param problem the first fault; absent if the log is intact
   */
  public record Outcome(
      List<String> files,
      long firstNumber,
      long lastNumber,
      String firstTime,
      String lastTime,
      long signedThrough,
      String head,
      SortedMap<String, Long> events,
      Optional<String> problem) {
    public Outcome {
      files = List.copyOf(files);
      events = new TreeMap<>(events);
    }
  }

  /** A line whose hash was noted earlier. */
  public record Noted(long number, String hash) {}

  /** A fault of the log. */
  private static final class FaultException extends Exception {
    private static final long serialVersionUID = 1;

    FaultException(String message) {
      super(message);
    }
  }

  private final List<X509Certificate> authorities;
  private final Optional<Noted> noted;
  private final SortedMap<String, Long> events = new TreeMap<>();
  private final List<String> names = new ArrayList<>();
  private @Nullable X509Certificate signer;
  private boolean notedSeen;
  private long firstNumber;
  private long lastNumber;
  private long signedThrough;
  private String firstTime = "";
  private String lastTime = "";
  private String head = AuditLine.NO_LINE;

  private AuditVerification(List<X509Certificate> authorities, Optional<Noted> noted) {
    this.authorities = List.copyOf(authorities);
    this.noted = noted;
  }

  /**
   * Checks all files of the log in a folder.
   *
   * @param authorities the authorities that certified the node
   * @param noted a line whose hash was noted earlier, which the log must still have
   */
  public static Outcome of(Path folder, List<X509Certificate> authorities, Optional<Noted> noted) {
    AuditVerification verification = new AuditVerification(authorities, noted);
    Optional<String> problem = Optional.empty();
    try {
      for (Path file : new AuditFiles(folder).all()) {
        verification.read(file);
      }
      verification.requireNoted();
    } catch (FaultException fault) {
      problem = Optional.ofNullable(fault.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the audit log in " + folder, e);
    }
    return verification.outcome(problem);
  }

  private Outcome outcome(Optional<String> problem) {
    return new Outcome(
        names, firstNumber, lastNumber, firstTime, lastTime, signedThrough, head, events, problem);
  }

  private void read(Path file) throws IOException, FaultException {
    String name = String.valueOf(file.getFileName());
    names.add(name);
    try (InputStream in = Files.newInputStream(file)) {
      LineBytes lines = new LineBytes(in);
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        check(name, line);
      }
      if (lines.incomplete()) {
        throw new FaultException(
            "%s ends within line %d, as after a kill; the node removes that part when it starts"
                .formatted(name, lastNumber + 1));
      }
    }
  }

  private void check(String name, byte[] line) throws FaultException {
    JsonNode read = tree(name, line);
    long number = read.path("number").asLong();
    String place = "line %d of %s".formatted(number, name);
    String previous = read.path("previous").asString("");
    if (lastNumber == 0) {
      firstNumber = number;
      firstTime = read.path("time").asString("");
    } else if (number != lastNumber + 1) {
      throw new FaultException("%s follows line %d".formatted(place, lastNumber));
    }
    if (number == 1 || lastNumber > 0) {
      if (!previous.equals(head)) {
        throw new FaultException(
            "%s does not fit the line before it: that line or this one was changed"
                .formatted(place));
      }
    }
    if (read.has("chain")) {
      signer = certificate(place, read.get("chain"));
    }
    if (read.has("signature")) {
      checkSignature(place, read, number, previous);
      signedThrough = number;
    }
    lastNumber = number;
    lastTime = read.path("time").asString("");
    head = AuditLine.hash(line);
    events.merge(read.path("event").asString("none"), 1L, Long::sum);
    if (noted.isPresent() && noted.get().number() == number) {
      notedSeen = true;
      if (!noted.get().hash().equals(head)) {
        throw new FaultException("%s has the hash %s, not the noted one".formatted(place, head));
      }
    }
  }

  private JsonNode tree(String name, byte[] line) throws FaultException {
    try {
      return Json.tree(new String(line, StandardCharsets.UTF_8));
    } catch (JacksonException damaged) {
      throw new FaultException("%s: what follows line %d is not JSON".formatted(name, lastNumber));
    }
  }

  private X509Certificate certificate(String place, JsonNode encoded) throws FaultException {
    List<X509Certificate> chain = new ArrayList<>();
    try {
      for (JsonNode each : encoded) {
        chain.add(Identity.decoded(Base64.getDecoder().decode(each.asString(""))));
      }
    } catch (CertificateException | IllegalArgumentException damaged) {
      throw new FaultException(place + " has a certificate that cannot be read");
    }
    if (!Identity.chainsToAuthority(chain, authorities)) {
      throw new FaultException(
          place + " names a certificate that none of the given authorities has signed");
    }
    X509Certificate known = signer;
    if (known != null && !Member.of(known).equals(Member.of(chain.getFirst()))) {
      throw new FaultException(place + " names a certificate of another member");
    }
    return chain.getFirst();
  }

  private void checkSignature(String place, JsonNode read, long number, String previous)
      throws FaultException {
    X509Certificate owner = signer;
    if (owner == null && firstNumber == 1) {
      throw new FaultException(place + " is signed before any line names a certificate");
    }
    if (owner == null) {
      // The file that named the certificate is not there; the next certificate covers the rest.
      return;
    }
    byte[] content =
        AuditLine.signedContent(
            Member.of(owner).orElseThrow(), number, read.path("time").asString(""), previous);
    byte[] signature;
    try {
      signature = Base64.getDecoder().decode(read.path("signature").asString(""));
    } catch (IllegalArgumentException notBase64) {
      throw new FaultException(place + " has a signature that cannot be read");
    }
    if (!Identity.isSignedBy(owner, content, signature)) {
      throw new FaultException(place + " has a signature that is not of this node's key");
    }
  }

  private void requireNoted() throws FaultException {
    if (noted.isPresent() && !notedSeen) {
      throw new FaultException(
          "the log ends at line %d and has no line %d: its end was cut off"
              .formatted(lastNumber, noted.get().number()));
    }
  }
}
