package io.kindred.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Only node waits for the wall clock, tests included: a test that sleeps is slow on a fast machine
 * and wrong on a slow one. The gate reads sources, because the compiled tests of other modules are
 * not on the class path of cli.
 */
class SleepsTest {
  private static final List<String> SLEEPS = List.of("sleep", "parkNanos", "parkUntil");

  @Test
  void nothingOutsideNodeSleeps() {
    List<String> findings = new ArrayList<>();
    for (MavenModule module : Repository.modules()) {
      if (!module.name().equals("node")) {
        module.mainSources().forEach(file -> findings.addAll(sleeps(file)));
        module.testSources().forEach(file -> findings.addAll(sleeps(file)));
      }
    }
    assertThat(findings).isEmpty();
  }

  @Test
  void plantedSleepsAreFoundWithTheirLine() {
    String source =
        """
        class Planted {
          void run() throws Exception {
            Thread.sleep(5);
            TimeUnit.SECONDS.sleep(1);
            sleep(5);
            Sleeper sleeper = Thread::sleep;
            java.util.concurrent.locks.LockSupport.parkNanos(1);
          }
        }
        """;
    assertThat(sleeps(SourceFile.parse("Planted.java", source)))
        .extracting(finding -> finding.substring(0, finding.indexOf(": ")))
        .containsExactly(
            "Planted.java:3",
            "Planted.java:4",
            "Planted.java:5",
            "Planted.java:6",
            "Planted.java:7");
  }

  @Test
  void talkOfSleepPasses() {
    String source = "class Planted { String sleep = \"Thread.sleep(5)\"; /* Thread.sleep(5) */ }";
    assertThat(sleeps(SourceFile.parse("Planted.java", source))).isEmpty();
  }

  private static List<String> sleeps(SourceFile file) {
    List<String> findings = new ArrayList<>();
    new Sleeps(file).scan(file.tree(), findings);
    return findings;
  }

  private static final class Sleeps extends TreeScanner<@Nullable Void, List<String>> {
    private final SourceFile file;

    Sleeps(SourceFile file) {
      this.file = file;
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, List<String> findings) {
      Tree called = call.getMethodSelect();
      if (called instanceof MemberSelectTree select) {
        check(call, select.getIdentifier().toString(), findings);
      } else if (called instanceof IdentifierTree identifier) {
        check(call, identifier.getName().toString(), findings);
      }
      return super.visitMethodInvocation(call, findings);
    }

    @Override
    public @Nullable Void visitMemberReference(
        MemberReferenceTree reference, List<String> findings) {
      check(reference, reference.getName().toString(), findings);
      return super.visitMemberReference(reference, findings);
    }

    private void check(Tree use, String name, List<String> findings) {
      if (SLEEPS.contains(name)) {
        findings.add(
            file.name()
                + ":"
                + file.firstLine(use)
                + ": "
                + use
                + " sleeps; remedy: step virtual time, or wait for the event itself with a latch");
      }
    }
  }
}
