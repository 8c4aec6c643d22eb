package io.kindred.node.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ProtobufTest {
  private static final Path PROTO = Path.of("src/main/proto/kindred/trainer.proto");

  /** The examples of the format's public description. */
  record Single(int a) {}

  record Text(int a, String b) {}

  record Outer(int a, int b, Single c) {}

  record Packed(int a, int b, int c, int d, int e, Ints f) {}

  record Wide(long a) {}

  private static String hex(Record message) {
    return HexFormat.of().formatHex(Protobuf.encode(message));
  }

  private static <T extends Record> T read(Class<T> type, String hex) {
    return Protobuf.decode(type, HexFormat.of().parseHex(hex));
  }

  @Test
  void writesTheBytesOfTheFormatsExamples() {
    assertThat(hex(new Single(150))).isEqualTo("089601");
    assertThat(hex(new Text(0, "testing"))).isEqualTo("120774657374696e67");
    assertThat(hex(new Outer(0, 0, new Single(150)))).isEqualTo("1a03089601");
    assertThat(hex(new Packed(0, 0, 0, 0, 0, Ints.of(3, 270, 86942))))
        .isEqualTo("3206038e029ea705");
    assertThat(hex(new Wide(-2))).isEqualTo("08feffffffffffffffff01");
    assertThat(hex(new TrainerMessages.Proximal("", 1))).isEqualTo("11000000000000f03f");
    assertThat(hex(new TrainerMessages.VectorPart("", Floats.of(1, -2))))
        .isEqualTo("12080000803f000000c0");
  }

  @Test
  void readsThemToo() {
    assertThat(read(Single.class, "089601")).isEqualTo(new Single(150));
    assertThat(read(Single.class, "")).isEqualTo(new Single(0));
    assertThat(read(Outer.class, "")).isEqualTo(new Outer(0, 0, new Single(0)));
    assertThat(read(Packed.class, "3206038e029ea705").f()).isEqualTo(Ints.of(3, 270, 86942));
    assertThat(read(Packed.class, "3003308e02").f()).as("one by one").isEqualTo(Ints.of(3, 270));
    assertThat(read(Wide.class, "08feffffffffffffffff01")).isEqualTo(new Wide(-2));
  }

  @Test
  void unknownFieldsArePassedOver() {
    assertThat(
            read(
                Single.class,
                "1a03616263" + "2101020304050607ff" + "2d01020304" + "3005" + "089601"))
        .isEqualTo(new Single(150));
  }

  @Test
  void anythingElseIsRefusedInWords() {
    for (String broken : List.of("08", "1207746573", "0a03089601", "0b", "12ffffffff7f", "09ff")) {
      assertThatThrownBy(() -> read(Text.class, broken))
          .as(broken)
          .isInstanceOf(Protobuf.MalformedException.class);
    }
    assertThatThrownBy(() -> read(TrainerMessages.VectorPart.class, "1203010203"))
        .hasMessageContaining("no whole 32-bit floats");
  }

  /** The records match the file that trainers in other languages generate their classes from. */
  @Test
  void theMessagesAreThoseOfTheProtoFile() throws IOException {
    SortedMap<String, List<String>> written = new TreeMap<>();
    String text = Files.readString(PROTO).replaceAll("//.*", "");
    for (MatchResult message :
        Pattern.compile("message (\\w+) \\{(.*?)\\}", Pattern.DOTALL)
            .matcher(text)
            .results()
            .toList()) {
      written.put(
          message.group(1),
          message.group(2).lines().map(String::strip).filter(line -> !line.isEmpty()).toList());
    }
    SortedMap<String, List<String>> known = new TreeMap<>();
    for (Class<?> type : TrainerMessages.class.getDeclaredClasses()) {
      List<String> fields = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        fields.add(
            "%s %s = %d;"
                .formatted(protoType(component), snake(component.getName()), fields.size() + 1));
      }
      known.put(type.getSimpleName(), fields);
    }
    assertThat(known).hasSizeGreaterThan(10).isEqualTo(written);
    for (var method : TrainerService.ALL) {
      assertThat(text)
          .contains("package kindred.trainer;")
          .contains("rpc " + method.getBareMethodName() + "(");
    }
    assertThat(Pattern.compile("\\brpc ").matcher(text).results().count())
        .isEqualTo(TrainerService.ALL.size());
  }

  private static String protoType(RecordComponent component) {
    Class<?> type = component.getType();
    if (type == List.class) {
      Class<?> each =
          (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
      return "repeated " + scalar(each);
    }
    return scalar(type);
  }

  private static String scalar(Class<?> type) {
    return switch (type.getSimpleName()) {
      case "int" -> "int32";
      case "long" -> "int64";
      case "boolean" -> "bool";
      case "String" -> "string";
      case "Ints" -> "repeated int32";
      case "Floats" -> "bytes";
      default -> type.getSimpleName();
    };
  }

  private static String snake(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
