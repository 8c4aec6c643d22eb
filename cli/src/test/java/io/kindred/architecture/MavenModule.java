package io.kindred.architecture;

import java.util.List;

/** A Maven module, as the gates on sources read it. */
record MavenModule(
    String name, String moduleFile, List<SourceFile> mainSources, List<SourceFile> testSources) {
  MavenModule {
    mainSources = List.copyOf(mainSources);
    testSources = List.copyOf(testSources);
  }
}
