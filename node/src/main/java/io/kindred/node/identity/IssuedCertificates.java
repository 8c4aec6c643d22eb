package io.kindred.node.identity;

import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The index of an authority: one line of JSON for each certificate that it issued. Two members with
 * one peer number would have two votes, so the index is asked before each signature.
 */
public final class IssuedCertificates {
  private record Entry(
      String issued, String member, String serial, String until, String certificate) {}

  private final Path file;

  public IssuedCertificates(Path authorityFolder) {
    file = authorityFolder.resolve("issued.jsonl");
  }

  /** Adds a certificate to the index. */
  void add(X509Certificate certificate) {
    try {
      Entry entry =
          new Entry(
              Instant.now().toString(),
              Member.of(certificate).map(Member::uri).orElse(""),
              certificate.getSerialNumber().toString(16),
              Validity.of(certificate).until().toString(),
              Base64.getEncoder().encodeToString(certificate.getEncoded()));
      Files.writeString(
          file, Json.line(entry) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that was just signed", e);
    }
  }

  /** The certificates of a member that are neither expired nor revoked. */
  public List<X509Certificate> valid(Member member, Revocations revocations) {
    Instant now = Instant.now();
    return all().stream()
        .filter(each -> Member.of(each).equals(Optional.of(member)))
        .filter(each -> !Validity.of(each).isExpired(now))
        .filter(each -> revocations.revokedAt(each).isEmpty())
        .toList();
  }

  /** All certificates that were ever issued, the earliest first. */
  public List<X509Certificate> all() {
    if (!Files.exists(file)) {
      return List.of();
    }
    List<X509Certificate> found = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        JsonNode entry = Json.tree(line);
        found.add(
            Identity.decoded(Base64.getDecoder().decode(entry.path("certificate").asString())));
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    } catch (GeneralSecurityException | IllegalArgumentException | JacksonException damaged) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "line %d of %s is damaged; restore the file from a backup of the authority's folder"
              .formatted(found.size() + 1, file));
    }
  }
}
