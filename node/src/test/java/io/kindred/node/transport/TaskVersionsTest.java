package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireOutput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Two versions of a task, and of the transport, in one network. */
class TaskVersionsTest {
  private static final Instant END = Instant.parse("2030-01-31T00:00:00Z");
  private static final Wire WIRE = new Wire(List.of(NeighbourUpdate.class));
  private static final PeerId OTHER = new PeerId(1);

  private long now = END.toEpochMilli() - 1;
  private final List<String> refused = new ArrayList<>();
  private final List<String> news = new ArrayList<>();
  private final TaskAgreement first = agreement(Map.of("name", "plants", "version", "1"));
  private final TaskAgreement second =
      agreement(Map.of("name", "plants", "version", "2", "replaces.until", END.toString()));
  private final TaskAgreement foreign = agreement(Map.of("name", "birds", "version", "2"));

  private TaskAgreement agreement(Map<String, String> values) {
    return agreement(values, WireSettings.DEFAULTS);
  }

  private TaskAgreement agreement(Map<String, String> values, WireSettings wire) {
    TaskAgreement made =
        new TaskAgreement(Optional.of(new TaskValues(new TreeMap<>(values))), wire, () -> now);
    made.onNews((peer, line) -> news.add(line));
    return made;
  }

  private static Metadata headersOf(TaskAgreement agreement) {
    return agreement.trailers();
  }

  @Test
  void twoVersionsRunSideBySideUntilTheTimeThatTheNewerOneStates() {
    assertThat(second.isBeside(headersOf(first))).isTrue();
    assertThat(first.isBeside(headersOf(second))).isTrue();
    assertThat(first.accepts(headersOf(second))).as("models of the other version").isFalse();

    now = END.toEpochMilli();

    assertThat(second.isBeside(headersOf(first))).isFalse();
  }

  @Test
  void anotherTaskIsNoOtherVersion() {
    assertThat(second.isBeside(headersOf(foreign))).isFalse();
    assertThat(first.isBeside(headersOf(first))).as("the same version").isFalse();
  }

  @Test
  void aNewVersionIsAnnouncedOnceForEachMember() {
    first.heardCall(OTHER, headersOf(second));
    first.heardCall(OTHER, headersOf(second));

    assertThat(news)
        .containsExactly(
            "peer 1 runs version 2 of task plants, this node version 1; both run side by side until"
                + " 2030-01-31T00:00:00Z; give this node the new task file and another 'folder'");
    assertThat(first.mayHaveOwnTask(OTHER)).isFalse();
    assertThat(first.mayHaveOwnTask(new PeerId(7))).as("a member that has said nothing").isTrue();
    assertThat(first.report().members())
        .containsEntry(1L, new VersionReport.OfMember(3, "plants", 2, false));

    first.heardCall(OTHER, headersOf(first));
    assertThat(first.mayHaveOwnTask(OTHER)).as("a member that went back").isTrue();
  }

  @Test
  void theDifferenceToAnotherVersionIsNewsAndThatToAnotherTaskARefusal() {
    Refusals refusals = new Refusals(refused::add);
    first.compare(new Member("tiny", OTHER), second.encoded(), refusals);
    assertThat(refused).isEmpty();
    assertThat(news).singleElement().asString().contains("'replaces.until'");

    first.compare(new Member("tiny", OTHER), foreign.encoded(), refusals);
    assertThat(refused).singleElement().asString().contains("has another task");
  }

  private static Header header() {
    Weights weights = Weights.copyOf(Layout.builder().add("w", 1).build(), new float[] {1});
    return Header.of(
        new Member("tiny", new PeerId(3)),
        Component.METHOD,
        WIRE.encode(
            Message.class,
            new NeighbourUpdate(1, 1, ModelUpdate.of(new SlotModel(0, weights, 1)), false, 0)),
        Packing.NONE);
  }

  /** A node of version 2 says nothing about versions. */
  private static Metadata unannounced(TaskAgreement agreement) {
    Metadata said = agreement.trailers();
    said.removeAll(Metadata.Key.of("kindred-wire", Metadata.ASCII_STRING_MARSHALLER));
    said.removeAll(Metadata.Key.of("kindred-task-version", Metadata.ASCII_STRING_MARSHALLER));
    return said;
  }

  @Test
  void aMemberGetsTheNewestVersionThatItSpeaks() throws Exception {
    assertThat(first.addressed(header(), OTHER).version()).as("nothing is known").isEqualTo(2);

    first.heardCall(OTHER, headersOf(first));
    Header newest = first.addressed(header(), OTHER);
    assertThat(newest.version()).isEqualTo(3);
    assertThat(Header.decode(newest.encode()).task()).isPresent();
    assertThat(first.accepts(Header.decode(newest.encode()))).isTrue();
    assertThat(second.accepts(Header.decode(newest.encode()))).as("the other task").isFalse();

    first.heardCall(OTHER, unannounced(first));
    assertThat(first.addressed(header(), OTHER).version()).as("an earlier release").isEqualTo(2);
    assertThat(news).last().asString().contains("speaks version 2 of the transport, this node 3");
  }

  @Test
  void aHeaderOfVersionTwoHasTheBytesThatItAlwaysHad() throws Exception {
    WireOutput expected = new WireOutput(weights -> {});
    expected.writeByte(2);
    expected.writeText("tiny");
    expected.writeLong(3);
    WIRE.write(Component.class, Component.METHOD, expected);
    expected.writeCount(header().message().length);
    expected.writeBytes(header().message());
    expected.writeCount(0);
    expected.writeCount(1);
    Header.Blob blob = header().blobs().getFirst();
    expected.writeBytes(blob.digest().bytes());
    expected.writeBytes(blob.layout().bytes());
    expected.writeLong(4);
    expected.writeByte(0);

    assertThat(header().inVersion(2, Optional.empty()).encode()).isEqualTo(expected.toBytes());
    assertThat(Header.decode(expected.toBytes()).version()).isEqualTo(2);
    assertThat(first.accepts(Header.decode(expected.toBytes()))).isTrue();
  }

  @Test
  void theEarlierVersionEndsAtTheTimeThatTheOperatorStates() {
    TaskAgreement ending =
        agreement(Map.of("name", "plants"), new WireSettings(Optional.of(END.toString())));
    assertThat(ending.spoken()).isEqualTo(new WireVersions(2, 3));

    now = END.toEpochMilli();

    assertThat(ending.spoken()).isEqualTo(new WireVersions(3, 3));
    assertThat(ending.addressed(header(), OTHER).version()).isEqualTo(3);
  }

  @Test
  void aForgedClaimIsIgnored() {
    Metadata forged = new Metadata();
    forged.put(
        Metadata.Key.of("kindred-task-version", Metadata.ASCII_STRING_MARSHALLER),
        "plants 99999999999 1");
    forged.put(Metadata.Key.of("kindred-wire", Metadata.ASCII_STRING_MARSHALLER), "9-x");
    first.heardCall(OTHER, forged);

    assertThat(first.addressed(header(), OTHER).version()).isEqualTo(2);
    assertThat(first.isBeside(forged)).isFalse();
  }
}
