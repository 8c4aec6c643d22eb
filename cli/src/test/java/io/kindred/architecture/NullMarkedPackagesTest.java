package io.kindred.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AnnotationTree;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every package of the main sources has a description and is null-marked. */
class NullMarkedPackagesTest {
  private static final String MARK = "org.jspecify.annotations.NullMarked";

  @Test
  void everyPackageIsNullMarkedAndDescribed() {
    List<String> findings = new ArrayList<>();
    for (MavenModule module : Repository.modules()) {
      findings.addAll(unmarked(module.mainSources()));
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void aPackageWithoutItsFileIsFound() {
    assertThat(unmarked(List.of(source("Lonely", "package planted; class Lonely {}"))))
        .singleElement()
        .asString()
        .startsWith("planted has no package-info.java");
  }

  @Test
  void aPackageWithoutMarkOrWithAForeignMarkIsFound() {
    String described = "/** Planted. */ ";
    assertThat(unmarked(List.of(information(described + "package planted;"))))
        .singleElement()
        .asString()
        .contains("is not @NullMarked");
    assertThat(
            unmarked(
                List.of(
                    information(
                        described + "@NullMarked package planted; import other.NullMarked;"))))
        .singleElement()
        .asString()
        .contains("is not @NullMarked");
  }

  @Test
  void aPackageWithoutDescriptionIsFound() {
    assertThat(unmarked(List.of(information("@" + MARK + " package planted;"))))
        .singleElement()
        .asString()
        .contains("says nothing about the package");
  }

  @Test
  void aMarkedAndDescribedPackagePasses() {
    String imported = "/** Planted. */ @NullMarked package planted; import " + MARK + ";";
    assertThat(
            unmarked(
                List.of(
                    information(imported), source("Marked", "package planted; class Marked {}"))))
        .isEmpty();
  }

  private static SourceFile information(String text) {
    return source("package-info", text);
  }

  private static SourceFile source(String name, String text) {
    return SourceFile.parse("planted/" + name + ".java", text);
  }

  private static List<String> unmarked(List<SourceFile> sources) {
    SortedSet<String> packages = new TreeSet<>();
    SortedMap<String, SourceFile> described = new TreeMap<>();
    for (SourceFile file : sources) {
      packages.add(file.packageName());
      if (file.name().endsWith("/package-info.java")) {
        described.put(file.packageName(), file);
      }
    }
    List<String> findings = new ArrayList<>();
    for (String each : packages) {
      SourceFile file = described.get(each);
      if (file == null) {
        findings.add(
            each + " has no package-info.java; remedy: add one, with a paragraph and @NullMarked");
      } else {
        check(file, findings);
      }
    }
    return findings;
  }

  private static void check(SourceFile file, List<String> findings) {
    if (!isMarked(file)) {
      findings.add(file.name() + " is not @NullMarked; remedy: annotate the package with " + MARK);
    }
    boolean isDescribed = Comment.in(file.text()).stream().anyMatch(Comment::isDocumentation);
    if (!isDescribed) {
      findings.add(
          file.name() + " says nothing about the package; remedy: one paragraph of documentation");
    }
  }

  private static boolean isMarked(SourceFile file) {
    boolean isImported =
        file.tree().getImports().stream()
            .anyMatch(each -> each.getQualifiedIdentifier().toString().equals(MARK));
    for (AnnotationTree annotation : file.tree().getPackageAnnotations()) {
      String name = annotation.getAnnotationType().toString();
      if (name.equals(MARK) || (isImported && name.equals("NullMarked"))) {
        return true;
      }
    }
    return false;
  }
}
