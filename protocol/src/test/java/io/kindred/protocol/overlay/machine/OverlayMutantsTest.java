package io.kindred.protocol.overlay.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A method of the overlay that does nothing fails a transcript. */
class OverlayMutantsTest {
  private static final String PACKAGE = "io.kindred.protocol.overlay.";

  /** Loads the overlay and its scenarios anew, with one method that returns at once. */
  private static final class MutantLoader extends ClassLoader {
    private final String type;
    private final String method;

    MutantLoader(String type, String method) {
      super(OverlayMutantsTest.class.getClassLoader());
      this.type = type;
      this.method = method;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PACKAGE)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) {
          return known;
        }
        byte[] code = bytes(name);
        byte[] loaded = name.equals(type) ? emptied(code, method) : code;
        return defineClass(name, loaded, 0, loaded.length);
      }
    }
  }

  private static byte[] bytes(String name) throws ClassNotFoundException {
    String resource = name.replace('.', '/') + ".class";
    try (InputStream in = OverlayMutantsTest.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException broken) {
      throw new ClassNotFoundException(name, broken);
    }
  }

  private static boolean isVoid(MethodModel method, String name) {
    return method.methodName().equalsString(name)
        && method.methodTypeSymbol().returnType().equals(ConstantDescs.CD_void)
        && method.code().isPresent();
  }

  private static byte[] emptied(byte[] code, String name) {
    ClassModel model = ClassFile.of().parse(code);
    assertThat(model.methods()).as("void methods named %s", name).anyMatch(m -> isVoid(m, name));
    return ClassFile.of()
        .transformClass(
            model,
            ClassTransform.transformingMethods(
                method -> isVoid(method, name),
                (builder, element) -> {
                  if (element instanceof java.lang.classfile.CodeModel) {
                    builder.withCode(body -> body.return_(TypeKind.VOID));
                  } else {
                    builder.with(element);
                  }
                }));
  }

  /** The first scenario that differs from its transcript; empty if the mutant survives. */
  private static Optional<String> killer(String type, String method)
      throws ReflectiveOperationException, IOException {
    Class<?> scenarios =
        new MutantLoader(PACKAGE + type, method).loadClass(PACKAGE + "machine.OverlayScenarios");
    SortedMap<?, ?> all = (SortedMap<?, ?>) scenarios.getMethod("all").invoke(null);
    for (var each : all.entrySet()) {
      Path file = OverlayTranscriptsTest.FOLDER.resolve(each.getKey() + ".txt");
      try {
        Object lines = ((Supplier<?>) each.getValue()).get();
        if (!Files.readAllLines(file).equals(lines)) {
          return Optional.of(each.getKey().toString());
        }
      } catch (RuntimeException | StackOverflowError failure) {
        return Optional.of(each.getKey() + " with " + failure);
      }
    }
    return Optional.empty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "membership.Heartbeats#checkMembers",
        "membership.Heartbeats#sendHeartbeat",
        "membership.Heartbeats#rootGossipReceived",
        "membership.Heartbeats#leave",
        "membership.ZoneLeader#removeMembers",
        "membership.ZoneLeader#admit",
        "membership.ZoneLeader#claimNewTerm",
        "membership.ZoneLeader#takeOver",
        "membership.ZoneLeader#republish",
        "membership.DivisionProtocol#divide",
        "membership.DivisionProtocol#zoneDivided",
        "membership.DivisionProtocol#moved",
        "membership.JoinProtocol#zoneFull",
        "membership.JoinProtocol#rejoin",
        "membership.ZoneFollower#leadershipTransferred",
        "membership.ZoneFollower#memberLeft",
        "clustering.Reclustering#advance"
      })
  void anEmptiedMethodFailsATranscript(String mutant) throws Exception {
    String[] parts = mutant.split("#", -1);
    assertThat(killer(parts[0], parts[1])).as("a transcript that %s changes", mutant).isPresent();
  }

  @Test
  void withoutAMutationTheScenariosPass() throws Exception {
    MutantLoader same = new MutantLoader("none", "none");
    Class<?> scenarios = same.loadClass(PACKAGE + "machine.OverlayScenarios");
    assertThat(scenarios).isNotSameAs(OverlayScenarios.class);
    SortedMap<?, ?> all = (SortedMap<?, ?>) scenarios.getMethod("all").invoke(null);
    Path file = OverlayTranscriptsTest.FOLDER.resolve("leader-crash.txt");
    Supplier<?> crash = (Supplier<?>) Objects.requireNonNull(all.get("leader-crash"));
    assertThat(crash.get()).isEqualTo(Files.readAllLines(file));
  }

  /** All void methods of the package, for a report: run it with the property set. */
  @Test
  @EnabledIfSystemProperty(named = "kindred.mutants", matches = "all")
  void reportOfAllVoidMethods() throws Exception {
    SortedMap<String, String> results = new TreeMap<>();
    for (String mutant : voidMethods()) {
      String[] parts = mutant.split("#", -1);
      results.put(mutant, killer(parts[0], parts[1]).orElse("SURVIVES"));
    }
    long survivors = results.values().stream().filter("SURVIVES"::equals).count();
    results.forEach((mutant, killer) -> System.out.println(mutant + " " + killer));
    System.out.println(results.size() - survivors + " of " + results.size() + " killed");
    assertThat(results).isNotEmpty();
  }

  private static List<String> voidMethods() throws IOException, ClassNotFoundException {
    List<String> all = new ArrayList<>();
    Path classes =
        Path.of(Overlay.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .resolve(PACKAGE.replace('.', '/'));
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.sorted().toList()) {
        String name = classes.relativize(file).toString().replace('/', '.');
        if (name.endsWith(".class") && !name.endsWith("Builder.class")) {
          String type = name.substring(0, name.length() - ".class".length());
          for (MethodModel each : ClassFile.of().parse(bytes(PACKAGE + type)).methods()) {
            String method = each.methodName().stringValue();
            if (isVoid(each, method) && !method.startsWith("<") && !method.contains("lambda$")) {
              all.add(type + "#" + method);
            }
          }
        }
      }
    }
    return all.stream().distinct().toList();
  }
}
