package io.kindred.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All sources of all modules, parsed once for all gates on sources. */
final class Repository {
  private static final List<MavenModule> MODULES = read(root());

  private Repository() {}

  static List<MavenModule> modules() {
    return MODULES;
  }

  static List<SourceFile> sources() {
    List<SourceFile> all = new ArrayList<>();
    for (MavenModule module : MODULES) {
      all.addAll(module.mainSources());
      all.addAll(module.testSources());
    }
    return all;
  }

  /** Maven runs tests in the folder of their module; some editors run them in the root. */
  private static Path root() {
    for (Path candidate : List.of(Path.of(".."), Path.of(""))) {
      if (Files.exists(candidate.resolve("pom.xml"))
          && Files.exists(candidate.resolve("core/pom.xml"))) {
        return candidate;
      }
    }
    throw new IllegalStateException(
        "expected the repository's pom.xml in the parent of " + Path.of("").toAbsolutePath());
  }

  private static List<MavenModule> read(Path root) {
    try (Stream<Path> entries = Files.list(root)) {
      List<MavenModule> modules = new ArrayList<>();
      for (Path folder : entries.sorted().toList()) {
        Path moduleFile = folder.resolve("pom.xml");
        if (Files.exists(moduleFile)) {
          modules.add(module(root, folder, Files.readString(moduleFile)));
        }
      }
      return modules;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MavenModule module(Path root, Path folder, String moduleFile) throws IOException {
    List<SourceFile> main = new ArrayList<>();
    List<SourceFile> test = new ArrayList<>();
    for (Path path : javaFiles(folder.resolve("src"))) {
      String name = root.relativize(path).toString().replace('\\', '/');
      boolean isMain = path.startsWith(folder.resolve("src/main"));
      (isMain ? main : test).add(SourceFile.parse(name, Files.readString(path)));
    }
    return new MavenModule(folder.getFileName().toString(), moduleFile, main, test);
  }

  private static List<Path> javaFiles(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.walk(folder)) {
      return entries.filter(path -> path.toString().endsWith(".java")).sorted().toList();
    }
  }
}
