package io.kindred.architecture;

import java.util.ArrayList;
import java.util.List;

/** A Maven module, whose name is its package below the root, and the modules it may depend on. */
record ModuleRule(String name, List<String> allowedDependencies) {
  ModuleRule {
    allowedDependencies = List.copyOf(allowedDependencies);
  }

  /**
   * From the bottom up: a module depends only on modules listed before it, so the rules cannot
   * contain a cycle.
   */
  static final List<ModuleRule> ALL = all();

  /** Modules without IO, threads, clock or anything else that could make two runs differ. */
  static final List<String> PURE =
      List.of("core", "protocol", "learning", "methods", "environment");

  private static List<ModuleRule> all() {
    List<ModuleRule> rules = new ArrayList<>();
    rules.add(of("core"));
    rules.add(of("protocol", "core"));
    rules.add(of("learning", "core"));
    rules.add(of("methods", "core", "protocol", "learning"));
    rules.add(of("environment", "core"));
    rules.add(of("storage", "core", "protocol", "learning"));
    rules.add(of("runtime", "core", "protocol", "learning", "methods", "environment", "storage"));
    // Two shells over one runtime; neither depends on the other.
    rules.add(of("simulator", "core", "protocol", "learning", "methods", "environment", "runtime"));
    rules.add(of("node", "core", "protocol", "learning", "methods", "storage", "runtime"));
    // A report is a function of run folders: it needs no code that executes runs.
    rules.add(of("report"));
    rules.add(
        of(
            "experiment",
            "core",
            "protocol",
            "learning",
            "methods",
            "environment",
            "storage",
            "runtime",
            "simulator",
            "report"));
    rules.add(extending("studies", rules.getLast()));
    // The command line depends on all modules listed so far; the edge modules depend on those and
    // on cli, but not on each other.
    rules.add(of("cli", names(rules)));
    String[] below = names(rules);
    for (String edge : List.of("spark", "dashboard", "benchmarks")) {
      rules.add(of(edge, below));
    }
    return List.copyOf(rules);
  }

  private static ModuleRule of(String name, String... dependencies) {
    return new ModuleRule(name, List.of(dependencies));
  }

  private static ModuleRule extending(String name, ModuleRule other) {
    List<String> dependencies = new ArrayList<>(other.allowedDependencies);
    dependencies.add(other.name);
    return new ModuleRule(name, dependencies);
  }

  private static String[] names(List<ModuleRule> rules) {
    return rules.stream().map(ModuleRule::name).toArray(String[]::new);
  }

  static ModuleRule named(String name) {
    return ALL.stream()
        .filter(rule -> rule.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(unknownMessage(name)));
  }

  static boolean isKnown(String name) {
    return ALL.stream().anyMatch(rule -> rule.name.equals(name));
  }

  static String unknownMessage(String name) {
    return "'"
        + name
        + "' is no known module; remedy: move the code into one, or add it to ModuleRule.ALL";
  }

  boolean mayDependOn(String other) {
    return name.equals(other) || allowedDependencies.contains(other);
  }

  /** Names the forbidden dependency and its remedy. */
  String forbiddenDependency(String to, String detail) {
    return name
        + " -> "
        + to
        + ": "
        + detail
        + "; "
        + name
        + " may depend on "
        + (allowedDependencies.isEmpty()
            ? "no other module"
            : String.join(", ", allowedDependencies))
        + "; remedy: move what both need down into a module that both depend on, or let "
        + name
        + " own an interface that "
        + to
        + " implements";
  }
}
