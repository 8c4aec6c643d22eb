package io.kindred.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.kindred.architecture.fixtures.calls.Harmless;
import io.kindred.architecture.fixtures.calls.PlantedHashOrders;
import io.kindred.architecture.fixtures.calls.PlantedKernels;
import io.kindred.architecture.fixtures.calls.PlantedSideEffects;
import java.lang.reflect.Executable;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Pure modules and the simulator use nothing that could make two runs of one seed differ. */
class BannedCallsTest {
  private static final JavaClasses PLANTED = MainClasses.planted("calls");

  @Test
  void pureRoomsAndTheSimulatorUseNothingBanned() {
    assertThat(checkAllClasses().findings()).isEmpty();
  }

  @Test
  void everyExemptionIsNeededAndGivesAReason() {
    assertThat(checkAllClasses().staleExemptions()).isEmpty();
    assertThat(Exemption.ALL).allSatisfy(each -> assertThat(each.reason()).isNotBlank());
  }

  @Test
  void everyPlantedMethodIsFound() {
    for (Class<?> planted :
        List.of(PlantedSideEffects.class, PlantedHashOrders.class, PlantedKernels.class)) {
      JavaClass type = PLANTED.get(planted);
      List<String> findings = findings(type, List.of());
      for (JavaMethod method : type.getMethods()) {
        if (!method.getModifiers().contains(JavaModifier.SYNTHETIC)) {
          assertThat(findings)
              .as(method.getName())
              .anySatisfy(
                  finding ->
                      assertThat(finding)
                          .contains("<" + type.getName() + "." + method.getName() + "("));
        }
      }
    }
  }

  @Test
  void everyBanHasAPlantedUseAndSaysItsRemedy() {
    SortedSet<String> findings = new TreeSet<>();
    PLANTED.forEach(type -> findings.addAll(findings(type, List.of())));
    assertThat(Ban.ALL)
        .allSatisfy(
            ban ->
                assertThat(findings)
                    .anySatisfy(
                        finding ->
                            assertThat(finding)
                                .startsWith(ban.name() + ": ")
                                .endsWith(ban.remedy())));
  }

  /** A misspelt entry would ban nothing without notice. */
  @Test
  void everyBannedUseExists() throws ClassNotFoundException {
    for (Ban ban : Ban.ALL) {
      for (UsePattern usePattern : ban.uses()) {
        if (!usePattern.isFamily()) {
          Class<?> owner = Class.forName(usePattern.owner(), false, getClass().getClassLoader());
          assertThat(usePattern.isOfWholeType() || hasMember(owner, usePattern))
              .as(usePattern.toString())
              .isTrue();
        }
      }
    }
  }

  private static boolean hasMember(Class<?> owner, UsePattern usePattern) {
    return Arrays.stream(owner.getFields())
            .anyMatch(field -> field.getName().equals(usePattern.member()))
        || Arrays.stream(owner.getMethods())
            .filter(method -> method.getName().equals(usePattern.member()))
            .anyMatch(method -> hasParameters(method, usePattern))
        || (usePattern.member().equals("<init>")
            && Arrays.stream(owner.getConstructors())
                .anyMatch(constructor -> hasParameters(constructor, usePattern)));
  }

  private static boolean hasParameters(Executable executable, UsePattern usePattern) {
    String parameters =
        Arrays.stream(executable.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"));
    return usePattern.parameters().equals(UsePattern.ANY)
        || usePattern.parameters().equals(parameters);
  }

  @Test
  void harmlessNeighboursOfBannedCallsPass() {
    assertThat(findings(PLANTED.get(Harmless.class), List.of())).isEmpty();
  }

  @Test
  void anExemptionSparesOneClassFromOneBanOnly() {
    JavaClass type = PLANTED.get(PlantedHashOrders.class);
    List<Exemption> exemptions =
        List.of(new Exemption(type.getName(), Ban.HASH_ORDER, "planted to be spared"));
    assertThat(findings(type, exemptions))
        .noneSatisfy(finding -> assertThat(finding).startsWith("hash order"))
        .anySatisfy(finding -> assertThat(finding).startsWith("identity hash"));
    assertThat(findings(PLANTED.get(PlantedSideEffects.class), exemptions)).isNotEmpty();
  }

  @Test
  void aStaleExemptionIsFound() {
    BannedCalls gate =
        new BannedCalls(
            List.of(new Exemption(Harmless.class.getName(), Ban.CLOCK, "planted to be stale")));
    gate.check(PLANTED.get(Harmless.class));
    assertThat(gate.staleExemptions()).singleElement().asString().contains("Harmless from clock");
  }

  private static List<String> findings(JavaClass type, List<Exemption> exemptions) {
    BannedCalls gate = new BannedCalls(exemptions);
    gate.check(type);
    return gate.findings();
  }

  private static BannedCalls checkAllClasses() {
    BannedCalls gate = new BannedCalls(Exemption.ALL);
    for (JavaClass type : MainClasses.ALL) {
      String module = MainClasses.moduleOf(type, MainClasses.ROOT);
      if (ModuleRule.PURE.contains(module) || module.equals("simulator")) {
        gate.check(type);
      }
    }
    return gate;
  }
}
