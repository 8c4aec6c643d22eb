package io.kindred.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Dependencies between modules point one way, and packages form no cycle. */
class ModuleDependenciesTest {
  @Test
  void modulesDependOnlyOnWhatTheRulesAllow() {
    assertThat(forbiddenDependencies(MainClasses.ALL, MainClasses.ROOT)).isEmpty();
  }

  @Test
  void pomsDeclareOnlyDependenciesThatTheRulesAllow() {
    List<String> findings = new ArrayList<>();
    for (MavenModule module : Repository.modules()) {
      findings.addAll(PomDependencies.forbiddenDependencies(module.name(), module.moduleFile()));
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void everyMainSourceStandsInThePackageOfItsModule() {
    List<String> findings = new ArrayList<>();
    for (MavenModule module : Repository.modules()) {
      for (SourceFile file : module.mainSources()) {
        findings.addAll(strayPackage(module.name(), file));
      }
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void packagesFormNoCycle() {
    assertThat(cycles(MainClasses.ALL, MainClasses.ROOT)).isEmpty();
  }

  /** Otherwise a module missing from the class path of cli would pass every gate unchecked. */
  @Test
  void modulesThatBansCoverAreOnTheClassPath() {
    SortedSet<String> imported = new TreeSet<>();
    for (JavaClass type : MainClasses.ALL) {
      imported.add(MainClasses.moduleOf(type, MainClasses.ROOT));
    }
    assertThat(imported).containsAll(ModuleRule.PURE).contains("simulator");
  }

  @Test
  void everyModuleDependsOnlyOnModulesListedBeforeIt() {
    List<String> before = new ArrayList<>();
    for (ModuleRule rule : ModuleRule.ALL) {
      assertThat(before).as(rule.name()).containsAll(rule.allowedDependencies());
      before.add(rule.name());
    }
  }

  @Test
  void simulatorAndNodeNeverSeeEachOther() {
    assertThat(ModuleRule.named("simulator").mayDependOn("node")).isFalse();
    assertThat(ModuleRule.named("node").mayDependOn("simulator")).isFalse();
    assertThat(ModuleRule.named("node").mayDependOn("environment")).isFalse();
  }

  @Test
  void aPlantedUpwardDependencyIsFoundWithItsRemedy() {
    assertThat(
            forbiddenDependencies(
                MainClasses.planted("modules"), MainClasses.plantedRoot("modules")))
        .anySatisfy(
            finding ->
                assertThat(finding)
                    .startsWith("core -> cli:")
                    .contains("DependsUpwards")
                    .contains("DependsDownwards")
                    .contains("core may depend on no other module")
                    .contains("remedy:"))
        .anySatisfy(finding -> assertThat(finding).contains("'unlisted' is no known module"))
        .noneSatisfy(finding -> assertThat(finding).startsWith("cli -> core"));
  }

  @Test
  void aPlantedCycleIsFound() {
    assertThat(cycles(MainClasses.planted("cycle"), MainClasses.plantedRoot("cycle")))
        .singleElement()
        .asString()
        .contains("first", "second");
  }

  @Test
  void aPlantedDependencyOfAModuleIsFound() {
    String moduleFile =
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0"><dependencies>
          <dependency><groupId>io.kindred</groupId><artifactId>kindred-core</artifactId></dependency>
          <dependency><groupId>io.kindred</groupId><artifactId>kindred-node</artifactId></dependency>
          <dependency><groupId>io.kindred</groupId><artifactId>kindred-cli</artifactId>
            <scope>test</scope></dependency>
        </dependencies></project>
        """;
    assertThat(PomDependencies.forbiddenDependencies("simulator", moduleFile))
        .singleElement()
        .asString()
        .startsWith("simulator -> node:");
    assertThat(PomDependencies.forbiddenDependencies("unlisted", moduleFile))
        .singleElement()
        .asString()
        .contains("no known module");
  }

  @Test
  void aPlantedStrayPackageIsFound() {
    SourceFile stray = SourceFile.parse("Stray.java", "package io.kindred.cli; class Stray {}");
    assertThat(strayPackage("core", stray)).singleElement().asString().contains("io.kindred.core");
    assertThat(strayPackage("cli", stray)).isEmpty();
  }

  private static List<String> forbiddenDependencies(JavaClasses classes, String root) {
    SortedSet<String> findings = new TreeSet<>();
    for (JavaClass type : classes) {
      String from = MainClasses.moduleOf(type, root);
      if (!ModuleRule.isKnown(from)) {
        findings.add(type.getName() + ": " + ModuleRule.unknownMessage(from));
        continue;
      }
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (MainClasses.isInside(target, root)) {
          String to = MainClasses.moduleOf(target, root);
          if (!ModuleRule.named(from).mayDependOn(to)) {
            findings.add(
                ModuleRule.named(from).forbiddenDependency(to, dependency.getDescription()));
          }
        }
      }
    }
    return List.copyOf(findings);
  }

  /** One slice per package: between modules the rules already forbid cycles. */
  private static List<String> cycles(JavaClasses classes, String root) {
    return SlicesRuleDefinition.slices()
        .matching(root + ".(**)")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true)
        .evaluate(classes)
        .getFailureReport()
        .getDetails();
  }

  private static List<String> strayPackage(String module, SourceFile file) {
    String expected = MainClasses.ROOT + "." + module;
    String actual = file.packageName();
    if (actual.equals(expected) || actual.startsWith(expected + ".")) {
      return List.of();
    }
    return List.of(
        file.name()
            + " stands in package "
            + actual
            + "; remedy: main sources of module "
            + module
            + " stand in "
            + expected);
  }
}
