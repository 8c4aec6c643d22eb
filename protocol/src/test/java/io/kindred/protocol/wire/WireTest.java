package io.kindred.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Timer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.testing.Property;
import io.kindred.core.testing.RandomValues;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.WireSamples.Hello;
import io.kindred.protocol.wire.WireSamples.Pair;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
  private static final Wire WIRE = WireSamples.wire();

  @Named("test/stranger")
  private record Unregistered() implements Message {}

  @Named("test/hello")
  private record DuplicateName() implements Message {}

  private record Unordered(Map<String, String> map) {}

  private static Stream<Arguments> everyMember() {
    return Stream.concat(
        Stream.of(Event.class, Ticket.class, Result.class, Observation.class)
            .flatMap(
                family ->
                    Arrays.stream(family.getPermittedSubclasses())
                        .filter(Class::isRecord)
                        .map(member -> Arguments.of(family, member))),
        Stream.of(Hello.class, Pair.class, WireSamples.Everything.class)
            .map(message -> Arguments.of(Message.class, message)));
  }

  @ParameterizedTest
  @MethodSource("everyMember")
  void everyValueComesBackFromItsOneEncoding(Class<?> family, Class<?> member) {
    Property.forAll(
            (random, size) -> (Object) new RandomValues(random, size, WireSamples.ALL).next(member))
        .holds(
            value -> {
              Wire.Encoded encoded = WIRE.encode(family, value);
              assertThat((Object) WireSamples.decode(WIRE, family, encoded)).isEqualTo(value);
              assertThat(WireSamples.wire().encode(family, value).bytes())
                  .isEqualTo(encoded.bytes());
              assertThat(WIRE.size(family, value))
                  .isEqualTo(
                      new Wire.Size(
                          encoded.bytes().length, encoded.modelBytes(), encoded.weights().size()));
            });
  }

  @Test
  void theFamiliesOnTheWireAreComplete() {
    assertThat(everyMember().map(each -> each.get()[0]).distinct()).hasSize(5);
    // The wire form is the position: these lists may only grow at their ends.
    assertThat(Event.class.getPermittedSubclasses())
        .startsWith(
            Event.Started.class,
            Event.Restored.class,
            Event.Received.class,
            Event.SendFailed.class,
            Event.TimerFired.class,
            Event.Computed.class,
            Event.NeighboursChanged.class,
            Event.LinkMeasured.class,
            Event.LeaveRequested.class,
            Event.Notified.class);
    assertThat(Result.class.getPermittedSubclasses())
        .startsWith(
            Result.Trained.class,
            Result.Losses.class,
            Result.Outputs.class,
            Result.Mixed.class,
            Result.Answered.class);
  }

  /** The bytes come from a separate encoder in Python. */
  @Test
  void theWireFormIsFixed() {
    Event event = new Event.Received(300, new PeerId(7), WireSamples.hello());
    assertThat(HexFormat.of().formatHex(WIRE.encode(Event.class, event).bytes()))
        .isEqualTo(
            "02"
                + "d804"
                + "0e"
                + "0a746573742f68656c6c6f"
                + "0668c3a96c6c6f"
                + "03"
                + "9a9999999999b93f"
                + "6be7a0225e3fc2f6ad1f1f1827362d7a7d849414c3f116b6d7667f4ff671083e"
                + "18"
                + "01"
                + "01010000c03f"
                + "020affffffffff3f");
  }

  /** Trace hashes depend on the first form; it is older than velocities. */
  @Test
  void aTrainingResultWithoutAVelocityKeepsItsForm() throws MalformedException {
    Weights weights = WireSamples.weights(1, -2.5f, 0.25f);
    String digest = "6be7a0225e3fc2f6ad1f1f1827362d7a7d849414c3f116b6d7667f4ff671083e";
    Result.Trained plain = new Result.Trained(weights, 0.1, 3);
    String basic = digest + "18" + "9a9999999999b93f" + "06";
    assertThat(HexFormat.of().formatHex(WIRE.encode(Result.class, plain).bytes()))
        .isEqualTo("00" + basic);
    Result.Trained moving = new Result.Trained(weights, 0.1, 3, Optional.of(weights));
    Wire.Encoded encoded = WIRE.encode(Result.class, moving);
    assertThat(HexFormat.of().formatHex(encoded.bytes()))
        .isEqualTo("40" + basic + "01" + digest + "18");
    assertThat(WireSamples.decode(WIRE, Result.class, encoded)).isEqualTo(moving);
    for (String unknown : List.of("05", "3f", "41", "45")) {
      assertThatThrownBy(
              () ->
                  WIRE.decode(Result.class, HexFormat.of().parseHex(unknown + basic), d -> weights))
          .isInstanceOf(MalformedException.class)
          .hasMessage("no Result number " + Integer.parseInt(unknown, 16));
    }
  }

  /** Result hashes depend on the first form: a fine-tuned model contains a ticket. */
  @Test
  void aTicketThatSaysNothingAboutVelocitiesKeepsItsForm() throws MalformedException {
    Weights weights = WireSamples.weights(1, -2.5f, 0.25f);
    String digest = "6be7a0225e3fc2f6ad1f1f1827362d7a7d849414c3f116b6d7667f4ff671083e";
    Ticket.Train plain =
        new Ticket.Train(
            weights,
            Objective.plain(),
            DataView.own(DataView.Split.TRAIN),
            new Optimizer(0.1, 0.1, 0.1),
            8,
            new Ticket.Duration.Steps(1),
            new StreamKey(new Purpose("p"), 3, 4));
    String tenth = "9a9999999999b93f";
    String basic =
        (digest + "18")
            + ("00" + "0000000000000000" + "00")
            + ("00" + "00" + "00")
            + ("00" + tenth + "00" + tenth + tenth + "0000000000000000")
            + "10"
            + ("01" + "02")
            + ("0170" + "06" + "08");
    assertThat(HexFormat.of().formatHex(WIRE.encode(Ticket.class, plain).bytes()))
        .isEqualTo("00" + basic);
    assertThat(
            HexFormat.of()
                .formatHex(WIRE.encode(Predictor.class, new Predictor.Adapted(plain)).bytes()))
        .isEqualTo("02" + basic);
    Ticket.Train moving = plain.ofModel(3).fromVelocity(Optional.of(weights));
    String added = "06" + "01" + digest + "18" + "01";
    assertThat(HexFormat.of().formatHex(WIRE.encode(Ticket.class, moving).bytes()))
        .isEqualTo("40" + basic + added);
    Wire.Encoded adapted = WIRE.encode(Predictor.class, new Predictor.Adapted(moving));
    assertThat(HexFormat.of().formatHex(adapted.bytes())).isEqualTo("42" + basic + added);
    assertThat(WireSamples.decode(WIRE, Predictor.class, adapted))
        .isEqualTo(new Predictor.Adapted(moving));
  }

  @Test
  void weightsTravelBesideTheBytes() throws MalformedException {
    Weights large = WireSamples.weights(new float[10_000]);
    Wire.Encoded encoded = WIRE.encode(Message.class, new Pair(large, WireSamples.weights(1)));
    assertThat(encoded.bytes().length).isLessThan(100);
    assertThat(encoded.weights()).containsExactly(large, WireSamples.weights(1));
    assertThat(encoded.modelBytes()).isEqualTo(40_004);
    Pair decoded = (Pair) WireSamples.decode(WIRE, Message.class, encoded);
    assertThat(decoded.first()).isSameAs(large);
  }

  @Test
  void weightsNamedTwiceTravelOnce() throws MalformedException {
    Pair pair = new Pair(WireSamples.weights(1, 2), WireSamples.weights(1, 2));
    Wire.Encoded encoded = WIRE.encode(Message.class, pair);
    assertThat(encoded.weights()).containsExactly(WireSamples.weights(1, 2));
    assertThat(encoded.modelBytes()).isEqualTo(8);
    assertThat(WireSamples.decode(WIRE, Message.class, encoded)).isEqualTo(pair);
  }

  @Test
  void weightsThatAreMissingAreRefused() {
    Wire.Encoded encoded = WIRE.encode(Message.class, WireSamples.hello());
    assertThatThrownBy(() -> WIRE.decode(Message.class, encoded.bytes(), digest -> null))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("are not available");
    assertThatThrownBy(
            () -> WIRE.decode(Message.class, encoded.bytes(), digest -> WireSamples.weights(1)))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("have 4 bytes, not 12");
  }

  @Test
  void anUnregisteredRecordIsRefusedOnBothSides() {
    assertThatThrownBy(() -> WIRE.encode(Message.class, new Unregistered()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not registered");
    assertThatThrownBy(() -> WIRE.encode(Message.class, new DuplicateName()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not registered");
    byte[] bytes =
        new Wire(List.of(Unregistered.class)).encode(Message.class, new Unregistered()).bytes();
    assertThatThrownBy(() -> WIRE.decode(Message.class, bytes, digest -> null))
        .isInstanceOf(MalformedException.class)
        .hasMessage("no Message named test/stranger");
  }

  @Test
  void aNameOfAnotherFamilyIsRefused() {
    byte[] whisper = WIRE.encode(LocalMessage.class, new WireSamples.Whisper("psst")).bytes();
    assertThatThrownBy(() -> WIRE.decode(Message.class, whisper, digest -> null))
        .isInstanceOf(MalformedException.class)
        .hasMessage("no Message named test/whisper");
  }

  @Test
  void twoRecordsOfOneNameAreRefused() {
    assertThatThrownBy(() -> new Wire(List.of(Hello.class, DuplicateName.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("both named test/hello");
    assertThat(new Wire(List.of(Hello.class, Hello.class))).isNotNull();
    assertThatThrownBy(() -> new Wire(List.of(Timer.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lacks @Named");
  }

  @Test
  void whatHasNoCanonicalOrderHasNoCodec() {
    assertThatThrownBy(() -> WIRE.encode(Unordered.class, new Unordered(Map.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no codec for java.util.Map");
    assertThatThrownBy(() -> WIRE.encode(Object.class, "anything"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
