package io.kindred.methods.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Catalogue;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.testing.Property;
import io.kindred.core.testing.RandomValues;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.contract.KeptVelocities;
import io.kindred.methods.contract.Method;
import io.kindred.methods.discovery.PeerDiscoveries;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.mixing.Dpfl;
import io.kindred.methods.mixing.Pfedwn;
import io.kindred.methods.pull.SemanticDfl;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchForm;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.overlay.Threshold;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.wire.Wire;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MethodsTest {
  private static final Path DOCS = Path.of("..", "docs", "reference", "methods.md");

  private static List<Class<?>> compiledClasses() throws IOException, URISyntaxException {
    Path root = Path.of(Method.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path folder = root.resolve("io/kindred/methods");
    try (Stream<Path> files = Files.walk(folder)) {
      List<Class<?>> classes = new ArrayList<>();
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        String name = root.relativize(file).toString().replace('/', '.').replace('\\', '.');
        if (!name.endsWith("package-info.class")) {
          classes.add(load(name.substring(0, name.length() - ".class".length())));
        }
      }
      return classes;
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Method.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RandomValues values(
      RandomStream random, int size, List<? extends Class<?>> records) {
    return new RandomValues(
        random,
        size,
        records,
        Map.of(
            Signature.class,
            MethodsTest::signature,
            ZoneId.class,
            MethodsTest::zone,
            QuantileSketch.class,
            source -> QuantileSketch.of(source.nextInt(1000)),
            SketchRule.class,
            MethodsTest::sketchRule,
            Sketch.class,
            MethodsTest::sketch,
            Threshold.class,
            source -> new Threshold(source.uniform(-1, 1))));
  }

  private static Signature signature(RandomStream random) {
    return Signature.of(
        9,
        Precision.FLOAT32,
        Ints.of(1, 4),
        Floats.of((float) random.nextGaussian(), (float) random.nextGaussian()));
  }

  /** Sizes are powers of two: most random sizes would be refused. */
  private static SketchRule sketchRule(RandomStream random) {
    return new SketchRule(
        SketchRule.Subject.CHANGE,
        List.of(SketchForm.values()).get(random.nextInt(SketchForm.values().length)),
        64 << random.nextInt(7),
        random.nextInt(100));
  }

  private static Sketch sketch(RandomStream random) {
    float[] values = {(float) random.nextGaussian(), (float) random.nextGaussian()};
    return sketchRule(random).sketch(values, new float[values.length], 0, values.length);
  }

  /** Levels have a small range: most random levels would be refused. */
  private static ZoneId zone(RandomStream random) {
    return new ZoneId(
        random.nextLong(), 1 + random.nextInt(ZoneId.MAX_LEVELS), new PeerId(random.nextLong()));
  }

  private static List<Method> samplesOfAll() {
    RandomStream random = new RandomStreams(1).stream(new Purpose("methods"), 0, 0);
    List<Method> methods = new ArrayList<>();
    for (Class<? extends Method> choice : Methods.ALL.choices()) {
      methods.add(values(random, 4, PeerDiscoveries.ALL.choices()).next(choice));
    }
    for (Class<? extends PeerDiscovery> each : PeerDiscoveries.ALL.choices()) {
      methods.add(values(random, 4, List.of(each)).next(SemanticDfl.class));
      methods.add(values(random, 4, List.of(each)).next(Dpfl.class));
      methods.add(values(random, 4, List.of(each)).next(Pfedwn.class));
    }
    return methods;
  }

  private static List<Class<?>> openRecords(List<Method> methods) {
    List<Class<?>> records = new ArrayList<>();
    for (Method method : methods) {
      records.addAll(method.messages());
      records.addAll(method.otherRecords());
    }
    // Methods on graphs share their message types.
    return records.stream().distinct().toList();
  }

  private static void checkRoundTrip(Wire wire, Class<?> type, Object value) throws Exception {
    Wire.Encoded encoded = wire.encode(type, value);
    NavigableMap<Digest, Weights> named = new TreeMap<>();
    encoded.weights().forEach(each -> named.put(each.digest(), each));
    assertThat((Object) wire.decode(type, encoded.bytes(), named::get)).isEqualTo(value);
    assertThat(wire.encode(type, value).bytes()).isEqualTo(encoded.bytes());
  }

  @Test
  void everyMethodOfThePackageIsInTheCatalogue() throws Exception {
    List<Class<?>> methods =
        compiledClasses().stream()
            .filter(each -> each.isRecord() && Method.class.isAssignableFrom(each))
            .toList();
    assertThat(methods).hasSizeGreaterThanOrEqualTo(4);
    assertThat(new ArrayList<Class<?>>(Methods.ALL.choices())).containsAll(methods);
  }

  @Test
  void everyMethodHasARowInTheDocs() throws IOException {
    List<String> lines = Files.readAllLines(DOCS);
    for (String name : Methods.ALL.names()) {
      assertThat(lines)
          .as("%s needs a row for %s", DOCS, name)
          .anyMatch(line -> line.startsWith("| `" + name + "` |"));
    }
  }

  @Test
  void everyMethodHasASummary() {
    for (Class<? extends Method> choice : Methods.ALL.choices()) {
      assertThat(Catalogue.summaryOf(choice)).isNotBlank();
    }
  }

  @Test
  void everyMessageSurvivesTheWire() {
    List<Class<?>> records = openRecords(samplesOfAll());
    Wire wire = new Wire(records);
    Property.forAll((random, size) -> messages(values(random, size, records), records))
        .holds(
            messages -> {
              for (Message message : messages) {
                checkRoundTrip(wire, Message.class, message);
              }
            });
  }

  private static List<Message> messages(RandomValues values, List<Class<?>> records) {
    return records.stream()
        .filter(Message.class::isAssignableFrom)
        .map(type -> Message.class.cast(values.next(type)))
        .toList();
  }

  @Test
  void everyStateSurvivesACheckpoint() {
    List<Class<?>> records = openRecords(samplesOfAll());
    Wire wire = new Wire(records);
    for (Class<?> type : stateTypes()) {
      Property.forAll((random, size) -> (Object) values(random, size, records).next(type))
          .holds(state -> checkRoundTrip(wire, type, state));
    }
  }

  private static List<Class<?>> stateTypes() {
    List<Class<?>> types = new ArrayList<>();
    for (Method method : samplesOfAll()) {
      for (PeerLayer<?> layer : method.layers(Driver.serverContext(0, 1))) {
        types.add(layer.stateType());
      }
    }
    types.add(KeptVelocities.VelocityState.class);
    return types;
  }
}
