package io.kindred.node.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.node.TinyNetwork;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class AuditTrailTest {
  private static final PeerId OTHER = new PeerId(1);
  private static final Optional<String> SERIAL = Optional.of("ab12");

  @TempDir private Path home;
  private TinyNetwork network;
  private Identity identity;
  private boolean full;

  @BeforeEach
  void create() {
    network = new TinyNetwork(home, 2, 3);
    identity = network.identity(0);
  }

  private AuditTrail trail(long fullBytes) {
    return new AuditTrail(
        folder(),
        identity,
        action -> {
          if (full) {
            return false;
          }
          try {
            action.run();
            return true;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        () -> Instant.parse("2030-01-01T00:00:00Z"),
        fullBytes);
  }

  private Path folder() {
    return home.resolve("log");
  }

  private Path file() {
    return folder().resolve("audit.jsonl");
  }

  private void write(int refusals) {
    try (AuditTrail trail = trail(AuditLog.FULL_BYTES)) {
      trail.started("task plants");
      for (int i = 0; i < refusals; i++) {
        trail.refused(RefusalKind.NO_TLS, Optional.empty(), "line " + i);
        trail.sign();
      }
    }
  }

  private AuditVerification.Outcome verified() {
    return verified(Optional.empty());
  }

  private AuditVerification.Outcome verified(Optional<AuditVerification.Noted> noted) {
    return AuditVerification.of(folder(), List.of(identity.authority()), noted);
  }

  private List<JsonNode> lines() throws IOException {
    return Files.readAllLines(file()).stream().map(Json::tree).toList();
  }

  private static Weights weights(float value) {
    return Weights.wrap(Layout.builder().add("w", 2).build(), new float[] {value, value});
  }

  @Test
  void anUntouchedLogIsIntactAndSignedToItsEnd() {
    write(2);

    AuditVerification.Outcome outcome = verified();

    assertThat(outcome.problem()).isEmpty();
    assertThat(outcome.lastNumber()).isEqualTo(6);
    assertThat(outcome.signedThrough()).isEqualTo(6);
    assertThat(outcome.events())
        .containsEntry("certificate", 1L)
        .containsEntry("started", 1L)
        .containsEntry("no-tls", 2L)
        .containsEntry("signed", 2L);
  }

  @Test
  void aClosedTrailStillNamesTheEndOfItsLog() {
    AuditTrail trail = trail(AuditLog.FULL_BYTES);
    trail.started("task plants");
    trail.close();

    assertThat(trail.head().lines()).isEqualTo(3);
    assertThat(trail.head())
        .isEqualTo(new AuditTrail.Head(verified().lastNumber(), verified().head()));
  }

  @Test
  void aLogThatGoesOnAfterARestartIsOneChain() {
    write(1);
    write(1);

    assertThat(verified().problem()).isEmpty();
    assertThat(verified().firstNumber()).isEqualTo(1);
    assertThat(verified().lastNumber()).isEqualTo(8);
  }

  @Test
  void aChangedLineIsFound() throws IOException {
    write(2);
    String text = Files.readString(file());
    Files.writeString(file(), text.replaceFirst("line 0", "line 9"));

    assertThat(verified().problem().orElseThrow()).contains("line 4").contains("was changed");
  }

  @Test
  void aRemovedLineIsFound() throws IOException {
    write(2);
    List<String> lines = new ArrayList<>(Files.readAllLines(file()));
    lines.remove(2);
    Files.write(file(), lines);

    assertThat(verified().problem().orElseThrow()).contains("line 4").contains("follows line 2");
  }

  @Test
  void aLogThatWasWrittenAgainWithoutTheKeyIsFound() throws IOException {
    write(1);
    List<String> lines = new ArrayList<>(Files.readAllLines(file()));
    List<String> forged = new ArrayList<>();
    String previous = AuditLine.NO_LINE;
    for (String line : lines) {
      String changed =
          line.replace("line 0", "line 9")
              .replaceFirst("\"previous\":\"[0-9a-f]*\"", "\"previous\":\"" + previous + "\"");
      forged.add(changed);
      previous = AuditLine.hash(changed.getBytes(StandardCharsets.UTF_8));
    }
    Files.write(file(), forged);

    assertThat(verified().problem().orElseThrow()).contains("not of this node's key");
  }

  @Test
  void aLogOfAForeignMemberIsFound() {
    write(1);
    Authority foreign = Authority.create(home.resolve("foreign"));
    Identity stranger =
        network.identity("stranger", foreign, new Member(TinyNetwork.NETWORK, new PeerId(0)));

    assertThat(
            AuditVerification.of(folder(), List.of(stranger.authority()), Optional.empty())
                .problem()
                .orElseThrow())
        .contains("none of the given authorities");
  }

  @Test
  void aLogWhoseEndWasCutOffIsFoundByALineThatWasNoted() throws IOException {
    write(2);
    AuditVerification.Outcome whole = verified();
    AuditVerification.Noted noted = new AuditVerification.Noted(whole.lastNumber(), whole.head());
    assertThat(verified(Optional.of(noted)).problem()).isEmpty();

    Files.write(file(), Files.readAllLines(file()).subList(0, 4));

    assertThat(verified().problem()).isEmpty();
    assertThat(verified(Optional.of(noted)).problem().orElseThrow()).contains("was cut off");
  }

  @Test
  void aLineThatAKillCutIsRemovedAndSaid() throws IOException {
    write(1);
    Files.writeString(file(), "{\"number\":5,\"ti", StandardOpenOption.APPEND);
    assertThat(verified().problem().orElseThrow()).contains("ends within line 5");

    write(0);

    assertThat(verified().problem()).isEmpty();
    assertThat(lines().get(4).path("event").asString()).isEqualTo("cut");
  }

  @Test
  void aFullFileIsPutAsideAndEachFileNamesTheCertificate() throws IOException {
    try (AuditTrail trail = trail(1)) {
      trail.started("task");
      trail.sign();
      trail.started("task");
      trail.sign();
    }

    assertThat(new AuditFiles(folder()).all())
        .extracting(each -> String.valueOf(each.getFileName()))
        .containsExactly("audit-000000000003.jsonl", "audit-000000000006.jsonl", "audit.jsonl");
    assertThat(verified().problem()).isEmpty();
    assertThat(verified().lastNumber()).isEqualTo(6);
    Files.delete(folder().resolve("audit-000000000003.jsonl"));
    assertThat(verified().problem()).isEmpty();
    assertThat(verified().firstNumber()).isEqualTo(4);
    write(0);
    assertThat(verified().problem()).isEmpty();
    assertThat(verified().lastNumber()).isEqualTo(9);
  }

  @Test
  void linesThatAFullDiskRefusedAreCounted() throws IOException {
    AuditTrail trail = trail(AuditLog.FULL_BYTES);
    trail.started("task");
    full = true;
    trail.started("lost");
    trail.started("lost");
    full = false;
    trail.started("again");
    trail.close();

    assertThat(verified().problem()).isEmpty();
    assertThat(lines().get(2).path("event").asString()).isEqualTo("missing");
    assertThat(lines().get(2).path("count").asLong()).isEqualTo(2);
  }

  @Test
  void repeatedRefusalsOfOneMemberTakeTwoLinesHoweverManyTheyAre() throws IOException {
    Optional<Refusals.Offender> offender =
        Optional.of(new Refusals.Offender(new Member(TinyNetwork.NETWORK, OTHER), SERIAL));
    try (AuditTrail trail = trail(AuditLog.FULL_BYTES)) {
      for (int i = 0; i < 1_000; i++) {
        trail.refused(RefusalKind.MALFORMED_MESSAGE, offender, "garbage");
      }
    }

    List<JsonNode> refused =
        lines().stream()
            .filter(each -> each.path("event").asString().equals("malformed-message"))
            .toList();
    assertThat(refused).hasSize(2);
    assertThat(refused.getFirst().path("peer").asLong()).isEqualTo(1);
    assertThat(refused.getFirst().path("certificate").asString()).isEqualTo("ab12");
    assertThat(refused.getFirst().path("text").asString()).isEqualTo("garbage");
    assertThat(refused.getLast().path("count").asLong()).isEqualTo(999);
  }

  @Test
  void aMixtureNamesTheSendersOfItsModels() throws IOException {
    Weights own = weights(1);
    Weights theirs = weights(2);
    try (AuditTrail trail = trail(AuditLog.FULL_BYTES)) {
      trail.computes(new Ticket.Mix(Mixture.mean(List.of(own))));
      trail.received(OTHER, SERIAL, List.of(theirs.digest()));
      trail.computes(
          new Ticket.Mix(
              new Mixture(List.of(new MixturePart(own, 0.75), new MixturePart(theirs, 0.25)))));
    }

    JsonNode mixed = lines().get(2);
    assertThat(mixed.path("event").asString()).isEqualTo("mixed");
    assertThat(mixed.path("shares").get(0).has("peer")).isFalse();
    assertThat(mixed.path("shares").get(1).path("peer").asLong()).isEqualTo(1);
    assertThat(mixed.path("shares").get(1).path("share").asDouble()).isEqualTo(0.25);
    assertThat(mixed.path("shares").get(1).path("model").asString())
        .isEqualTo(theirs.digest().hex());
  }

  @Test
  void runningNodesWriteWhatTheySendReceiveAndMixUnderWhichCertificate() throws Exception {
    network.start();
    for (int number = 0; number < 2; number++) {
      assertThat(network.node(number).awaitDone(60, TimeUnit.SECONDS)).isTrue();
    }
    String serial = network.identity(1).certificate().getSerialNumber().toString(16);
    network.close();

    AuditVerification.Outcome outcome =
        AuditVerification.of(network.folder(0), List.of(identity.authority()), Optional.empty());
    assertThat(outcome.problem()).isEmpty();
    assertThat(outcome.signedThrough()).isEqualTo(outcome.lastNumber());
    assertThat(outcome.events()).containsKeys("started", "sent", "received", "mixed");
    List<JsonNode> lines =
        Files.readAllLines(network.folder(0).resolve("audit.jsonl")).stream()
            .map(Json::tree)
            .toList();
    assertThat(lines)
        .filteredOn(each -> each.path("event").asString().equals("received"))
        .hasSize(3)
        .allSatisfy(
            each -> {
              assertThat(each.path("peer").asLong()).isEqualTo(1);
              assertThat(each.path("certificate").asString()).isEqualTo(serial);
            });
    assertThat(lines)
        .filteredOn(each -> each.path("event").asString().equals("mixed"))
        .allSatisfy(
            each -> {
              double sum = 0;
              for (JsonNode share : each.path("shares")) {
                sum += share.path("share").asDouble();
              }
              assertThat(sum).isCloseTo(1, Offset.offset(1e-9));
            });
  }
}
