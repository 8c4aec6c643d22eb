package io.kindred.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A source file and its syntax tree, parsed by the compiler but neither resolved nor compiled. */
record SourceFile(
    String name, String text, CompilationUnitTree tree, SourcePositions positions, int errors) {

  static SourceFile parse(String name, String text) {
    SourceFile file = parseAnything(name, text);
    if (file.errors > 0) {
      throw new IllegalStateException(name + ": expected Java, found " + file.errors + " errors");
    }
    return file;
  }

  /** Also accepts text that may not be Java; {@link #errors} then lists the syntax errors. */
  static SourceFile parseAnything(String name, String text) {
    DiagnosticCollector<JavaFileObject> complaints = new DiagnosticCollector<>();
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(
                    null,
                    null,
                    complaints,
                    List.of("-proc:none"),
                    null,
                    List.of(new InMemory(text)));
    try {
      CompilationUnitTree tree = task.parse().iterator().next();
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      return new SourceFile(name, text, tree, positions, complaints.getDiagnostics().size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String packageName() {
    return tree.getPackageName() == null ? "" : tree.getPackageName().toString();
  }

  long lines() {
    return text.lines().count();
  }

  long firstLine(Tree part) {
    return tree.getLineMap().getLineNumber(positions.getStartPosition(tree, part));
  }

  long lastLine(Tree part) {
    return tree.getLineMap().getLineNumber(positions.getEndPosition(tree, part));
  }

  private static final class InMemory extends SimpleJavaFileObject {
    private final String text;

    InMemory(String text) {
      super(URI.create("memory:///Source.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
