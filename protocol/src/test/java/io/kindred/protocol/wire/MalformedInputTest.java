package io.kindred.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStream;
import io.kindred.core.testing.Property;
import io.kindred.core.testing.RandomValues;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class MalformedInputTest {
  private static final Wire WIRE = WireSamples.wire();
  private static final List<Class<?>> FAMILIES =
      List.of(Event.class, Ticket.class, Result.class, Observation.class, Message.class);

  /** Far more than an honest decoding of a few hundred bytes takes, reflection included. */
  private static final long ALLOWED_BYTES = 4_000_000;

  private static final class Attack {
    private final Class<?> family;
    private final byte[] bytes;
    private final List<Weights> weights;

    Attack(Class<?> family, byte[] bytes, List<Weights> weights) {
      this.family = family;
      this.bytes = bytes;
      this.weights = weights;
    }

    @Override
    public String toString() {
      return family.getSimpleName() + " " + HexFormat.of().formatHex(bytes);
    }
  }

  /** Decoding either works or says that the input is malformed, and takes little memory. */
  private static boolean refuses(Attack attack) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    boolean refused = false;
    try {
      WireSamples.decode(WIRE, attack.family, attack.bytes, attack.weights);
    } catch (MalformedException e) {
      assertThat(e.getMessage()).isNotBlank();
      refused = true;
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(ALLOWED_BYTES);
    return refused;
  }

  private static Attack honest(RandomStream random, int size) {
    Class<?> family = FAMILIES.get(random.nextInt(FAMILIES.size()));
    Object value = new RandomValues(random, size, WireSamples.ALL).next(family);
    Wire.Encoded encoded = WIRE.encode(family, value);
    return new Attack(family, encoded.bytes(), encoded.weights());
  }

  private static Attack garbage(RandomStream random, int size) {
    byte[] bytes = new byte[random.nextInt(4 * size)];
    for (int i = 0; i < bytes.length; i++) {
      // Small bytes pass for tags and counts, so that garbage gets past the first of them.
      bytes[i] = (byte) (random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(8));
    }
    return new Attack(FAMILIES.get(random.nextInt(FAMILIES.size())), bytes, List.of());
  }

  private static Attack damaged(RandomStream random, int size) {
    Attack attack = honest(random, size);
    byte[] bytes = attack.bytes.clone();
    for (int hits = 1 + random.nextInt(3); hits > 0 && bytes.length > 0; hits--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextLong();
    }
    return new Attack(attack.family, bytes, attack.weights);
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static void refused(Class<?> type, byte[] bytes, String words) {
    assertThatThrownBy(() -> WIRE.decode(type, bytes, digest -> null))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining(words);
  }

  @Test
  void everyTruncationIsMalformed() {
    Property.forAll(MalformedInputTest::honest)
        .runs(150)
        .holds(
            whole -> {
              for (int length = 0; length < whole.bytes.length; length++) {
                byte[] cut = Arrays.copyOf(whole.bytes, length);
                assertThat(refuses(new Attack(whole.family, cut, whole.weights)))
                    .as("cut to %d bytes", length)
                    .isTrue();
              }
              assertThat(refuses(whole)).isFalse();
            });
  }

  @Test
  void bytesAfterTheEndAreMalformed() {
    Property.forAll(MalformedInputTest::honest)
        .holds(
            whole -> {
              byte[] longer = Arrays.copyOf(whole.bytes, whole.bytes.length + 1);
              assertThat(refuses(new Attack(whole.family, longer, whole.weights))).isTrue();
            });
  }

  @Test
  void garbageIsNeverMoreThanMalformed() {
    Property.forAll(MalformedInputTest::garbage).runs(2_000).holds(MalformedInputTest::refuses);
  }

  @Test
  void damagedBytesAreNeverMoreThanMalformed() {
    Property.forAll(MalformedInputTest::damaged).runs(2_000).holds(MalformedInputTest::refuses);
  }

  @Test
  void aCountBeyondTheInputIsRefusedBeforeAnythingIsAllocated() {
    refused(Floats.class, hex("02" + "00000000"), "count 2 with 4 bytes left");
    refused(Ints.class, hex("ffffffff0f"), "count 4294967295");
    refused(String.class, hex("ffffffff07"), "count 2147483647");
  }

  @Test
  void aCountWhoseBytesOverflowIsRefused() {
    // 2^61 + 50,000,000 floats: four bytes each is more than a long can hold.
    byte[] bytes = hex("80e1eb978080808020");
    assertThat(refuses(new Attack(Floats.class, bytes, List.of()))).isTrue();
    // 2^62 of them: four bytes each overflow to zero.
    assertThat(refuses(new Attack(Floats.class, hex("808080808080808040"), List.of()))).isTrue();
  }

  @Test
  void aNumberOfMoreThan64BitsIsRefused() {
    refused(Long.class, hex("ffffffffffffffffffff01"), "more than 64 bits");
    refused(Long.class, hex("ffffffffffffffffff7f"), "more than 64 bits");
    refused(Integer.class, hex("8080808020"), "does not fit into 32 bits");
  }

  @Test
  void unknownPositionsAreRefused() {
    refused(Event.class, hex("0a"), "no Event number 10");
    refused(WireSamples.Mood.class, hex("02"), "no Mood number 2");
    refused(Boolean.class, hex("02"), "no truth value number 2");
    refused(Event.class, hex("ffffffffffffffffff01"), "no Event number 18446744073709551615");
  }

  @Test
  void unknownNamesAreRefused() {
    refused(Message.class, named("test/nobody"), "no Message named test/nobody");
  }

  @Test
  void anUnknownNameIsRepeatedInPartOnly() {
    assertThatThrownBy(() -> WIRE.decode(Message.class, named("x".repeat(1 << 20)), _ -> null))
        .isInstanceOf(MalformedException.class)
        .hasMessage("no Message named " + "x".repeat(40) + "...");
  }

  private static byte[] named(String text) {
    byte[] name = text.getBytes(StandardCharsets.UTF_8);
    WireOutput out = new WireOutput(_ -> {});
    out.writeCount(name.length);
    out.writeBytes(name);
    return out.toBytes();
  }

  @Test
  void textThatIsNotUtf8IsRefused() {
    refused(String.class, hex("02c328"), "not UTF-8");
    refused(String.class, hex("03eda080"), "not UTF-8");
  }

  @Test
  void whatAConstructorRefusesIsMalformed() {
    // A mix ticket (position 3) of a mixture without parts.
    refused(Ticket.class, hex("0300"), "a mixture needs at least one part");
  }

  @Test
  void anEventIsReadToItsLastByte() throws MalformedException {
    assertThat(WIRE.decode(Event.class, hex("00" + "0a" + "02" + "02" + "05"), digest -> null))
        .isEqualTo(new Event.Started(5, List.of(new PeerId(1), new PeerId(-3))));
  }
}
