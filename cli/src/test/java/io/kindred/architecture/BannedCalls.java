package io.kindred.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds banned uses in compiled classes: calls, references to methods, fields and types. */
final class BannedCalls {
  private final List<Exemption> exemptions;
  private final SortedSet<String> findings = new TreeSet<>();
  private final SortedSet<String> used = new TreeSet<>();

  BannedCalls(List<Exemption> exemptions) {
    this.exemptions = List.copyOf(exemptions);
  }

  void check(JavaClass type) {
    for (JavaAccess<?> access : type.getAccessesFromSelf()) {
      for (Ban ban : Ban.ALL) {
        if (ban.uses().stream().anyMatch(usePattern -> usePattern.matches(access.getTarget()))) {
          report(type, ban, access.getDescription());
        }
      }
    }
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      JavaClass target = dependency.getTargetClass().getBaseComponentType();
      for (Ban ban : Ban.ALL) {
        if (ban.uses().stream().anyMatch(use -> use.matches(target))) {
          report(type, ban, dependency.getDescription());
        }
      }
    }
  }

  private void report(JavaClass type, Ban ban, String description) {
    for (Exemption exemption : exemptions) {
      if (exemption.ban().equals(ban)
          && exemption.className().equals(MainClasses.outermostName(type))) {
        used.add(nameOf(exemption));
        return;
      }
    }
    findings.add(ban.name() + ": " + description + "; remedy: " + ban.remedy());
  }

  List<String> findings() {
    return List.copyOf(findings);
  }

  /** Exemptions without a finding: if kept, they could hide a real finding later. */
  List<String> staleExemptions() {
    return exemptions.stream()
        .map(BannedCalls::nameOf)
        .filter(name -> !used.contains(name))
        .map(name -> name + " is exempt but needs it no more; remedy: remove the exemption")
        .toList();
  }

  private static String nameOf(Exemption exemption) {
    return exemption.className() + " from " + exemption.ban().name();
  }
}
