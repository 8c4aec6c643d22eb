package io.kindred.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Classes of a package that all depend on each other are one class in several files. A small cycle
 * is fine, such as an interface and its implementations; more than {@value #LARGEST} classes hide a
 * missing owner of state. The generated builder of a record is part of the record and does not
 * count.
 */
class ClassCyclesTest {
  private static final int LARGEST = 4;

  /** Packages with known cycles that are still to be broken. */
  private static final List<String> EXEMPT = List.of("io.kindred.methods.hfl");

  @Test
  void noLargeSetOfClassesInAPackageIsStronglyConnected() {
    assertThat(findings(MainClasses.ALL, EXEMPT)).isEmpty();
  }

  /** An exemption that is no longer needed must not hide the next cycle. */
  @Test
  void everyExemptPackageStillHasALargeCycle() {
    List<String> found = findings(MainClasses.ALL, List.of());
    assertThat(EXEMPT)
        .allSatisfy(name -> assertThat(found).anyMatch(finding -> finding.startsWith(name + ":")));
  }

  @Test
  void aPlantedCycleOfFiveIsFoundAndOneOfFourPasses() {
    JavaClasses planted = MainClasses.planted("classes");
    assertThat(findings(planted, List.of()))
        .containsExactly(
            "io.kindred.architecture.fixtures.classes.five: [Ant, Bee, Cat, Dog, Elk] all reach"
                + " each other; remedy: let one class own the state and pass values, or hand in an"
                + " interface");
  }

  private static List<String> findings(JavaClasses classes, List<String> exempt) {
    SortedMap<String, SortedMap<String, SortedSet<String>>> packages = new TreeMap<>();
    for (JavaClass type : classes) {
      if (MainClasses.isGeneratedBuilder(type)) {
        continue;
      }
      String from = MainClasses.outermostName(type);
      SortedMap<String, SortedSet<String>> graph =
          packages.computeIfAbsent(type.getPackageName(), unseen -> new TreeMap<>());
      SortedSet<String> targets = graph.computeIfAbsent(from, unseen -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().equals(type.getPackageName())
            && !MainClasses.isGeneratedBuilder(target)) {
          targets.add(MainClasses.outermostName(target));
        }
      }
    }
    List<String> findings = new ArrayList<>();
    packages.forEach(
        (name, graph) -> {
          for (SortedSet<String> set : new Components(graph).all()) {
            if (set.size() > LARGEST && !exempt.contains(name)) {
              findings.add(finding(name, set));
            }
          }
        });
    return findings;
  }

  private static String finding(String packageName, SortedSet<String> classes) {
    List<String> names =
        classes.stream().map(name -> name.substring(packageName.length() + 1)).toList();
    return packageName
        + ": "
        + names
        + " all reach each other; remedy: let one class own the state and pass values, or hand in"
        + " an interface";
  }

  /** Strongly connected components by Tarjan's algorithm. */
  private static final class Components {
    private final SortedMap<String, SortedSet<String>> graph;
    private final SortedMap<String, Integer> index = new TreeMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<SortedSet<String>> components = new ArrayList<>();

    Components(SortedMap<String, SortedSet<String>> graph) {
      this.graph = graph;
      for (String node : graph.keySet()) {
        if (!index.containsKey(node)) {
          visit(node);
        }
      }
    }

    List<SortedSet<String>> all() {
      return components;
    }

    private int visit(String node) {
      int number = index.size();
      int lowest = number;
      index.put(node, number);
      open.push(node);
      for (String target : graph.getOrDefault(node, new TreeSet<>())) {
        if (!index.containsKey(target)) {
          lowest = Math.min(lowest, visit(target));
        } else if (open.contains(target)) {
          lowest = Math.min(lowest, index.getOrDefault(target, number));
        }
      }
      if (lowest == number) {
        close(node);
      }
      return lowest;
    }

    private void close(String root) {
      SortedSet<String> component = new TreeSet<>();
      String last;
      do {
        last = open.pop();
        component.add(last);
      } while (!last.equals(root));
      components.add(component);
    }
  }
}
