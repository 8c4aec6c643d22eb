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

/** Arrows between rooms point one way, and packages inside a room form no cycle. */
class ArrowsTest {
  @Test
  void roomsSeeOnlyWhatTheHouseAllows() {
    assertThat(wrongArrows(MainClasses.ALL, MainClasses.ROOT)).isEmpty();
  }

  @Test
  void modulesDeclareOnlyArrowsTheHouseAllows() {
    List<String> findings = new ArrayList<>();
    for (MavenModule module : Repository.modules()) {
      findings.addAll(ModuleFile.wrongArrows(module.name(), module.moduleFile()));
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
  void packagesOfARoomFormNoCycle() {
    assertThat(cycles(MainClasses.ALL, MainClasses.ROOT)).isEmpty();
  }

  /** Without this, a room that left the class path of lab would pass every gate unseen. */
  @Test
  void roomsThatBansCoverAreOnTheClassPath() {
    SortedSet<String> imported = new TreeSet<>();
    for (JavaClass type : MainClasses.ALL) {
      imported.add(MainClasses.roomOf(type, MainClasses.ROOT));
    }
    assertThat(imported).containsAll(Room.PURE).contains("simulator");
  }

  @Test
  void everyRoomSeesOnlyRoomsListedBeforeIt() {
    List<String> before = new ArrayList<>();
    for (Room room : Room.ALL) {
      assertThat(before).as(room.name()).containsAll(room.sees());
      before.add(room.name());
    }
  }

  @Test
  void simulatorAndNodeNeverSeeEachOther() {
    assertThat(Room.named("simulator").maySee("node")).isFalse();
    assertThat(Room.named("node").maySee("simulator")).isFalse();
    assertThat(Room.named("node").maySee("world")).isFalse();
  }

  @Test
  void aPlantedUpwardArrowIsFoundWithItsRemedy() {
    assertThat(wrongArrows(MainClasses.planted("house"), MainClasses.plantedRoot("house")))
        .anySatisfy(
            finding ->
                assertThat(finding)
                    .startsWith("core -> lab:")
                    .contains("LooksUp")
                    .contains("Above")
                    .contains("core may see no other room")
                    .contains("remedy:"))
        .anySatisfy(finding -> assertThat(finding).contains("'attic' is no room"))
        .noneSatisfy(finding -> assertThat(finding).startsWith("lab -> core"));
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
          <dependency><groupId>io.kindred</groupId><artifactId>kindred-lab</artifactId>
            <scope>test</scope></dependency>
        </dependencies></project>
        """;
    assertThat(ModuleFile.wrongArrows("simulator", moduleFile))
        .singleElement()
        .asString()
        .startsWith("simulator -> node:");
    assertThat(ModuleFile.wrongArrows("attic", moduleFile))
        .singleElement()
        .asString()
        .contains("no room");
  }

  @Test
  void aPlantedStrayPackageIsFound() {
    SourceFile stray = SourceFile.parse("Stray.java", "package io.kindred.lab; class Stray {}");
    assertThat(strayPackage("core", stray)).singleElement().asString().contains("io.kindred.core");
    assertThat(strayPackage("lab", stray)).isEmpty();
  }

  private static List<String> wrongArrows(JavaClasses classes, String root) {
    SortedSet<String> findings = new TreeSet<>();
    for (JavaClass type : classes) {
      String from = MainClasses.roomOf(type, root);
      if (!Room.isKnown(from)) {
        findings.add(type.getName() + ": " + Room.unknown(from));
        continue;
      }
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (MainClasses.isInside(target, root)) {
          String to = MainClasses.roomOf(target, root);
          if (!Room.named(from).maySee(to)) {
            findings.add(Room.named(from).wrongArrow(to, dependency.getDescription()));
          }
        }
      }
    }
    return List.copyOf(findings);
  }

  /** One slice per package of the whole house: between rooms the arrows already forbid cycles. */
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
