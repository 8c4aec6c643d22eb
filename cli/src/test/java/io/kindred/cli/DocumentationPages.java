package io.kindred.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The documentation pages of the repository, and their links and commands, which tests can check.
 */
final class DocumentationPages {
  /** An excerpt of a page and its line. */
  record PageExcerpt(Path page, int line, String text) {
    @Override
    public String toString() {
      return page + ":" + line + ": " + text;
    }
  }

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern COMMAND = Pattern.compile("(?:\\$ )?(?:\\./)?kindred (\\S.*)");
  private static final Pattern FENCE = Pattern.compile("\\s*(```|~~~).*");
  private static final Pattern INDENTED = Pattern.compile("(?: {4}|\\t)\\s*\\S.*");

  /**
   * A description after two blanks, a comment, a redirection or a pipe, none of which is an
   * argument.
   */
  private static final Pattern TRAILING_TEXT = Pattern.compile("(\\s{2,}| [#>|]).*");

  private DocumentationPages() {}

  /** Maven runs tests in the folder of their module; some editors run them in the root. */
  static Path root() {
    return Files.exists(Path.of("../core/pom.xml")) ? Path.of("..") : Path.of("");
  }

  static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(root())) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !file.toString().contains("target"))
          .filter(file -> !file.toString().contains("/runs/"))
          .sorted()
          .toList();
    }
  }

  /** Links to other files of the repository. */
  static List<PageExcerpt> links(Path page) throws IOException {
    List<PageExcerpt> links = new ArrayList<>();
    List<String> lines = Files.readAllLines(page);
    for (int i = 0; i < lines.size(); i++) {
      Matcher matcher = LINK.matcher(lines.get(i));
      while (matcher.find()) {
        String target = matcher.group(1).replaceFirst("#.*", "");
        if (!target.isEmpty() && !target.contains(":")) {
          links.add(new PageExcerpt(page, i + 1, target));
        }
      }
    }
    return links;
  }

  /** Lines of code blocks that start the program, without the program's name. */
  static List<PageExcerpt> commands(Path page) throws IOException {
    List<PageExcerpt> commands = new ArrayList<>();
    List<String> lines = Files.readAllLines(page);
    boolean fenced = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (FENCE.matcher(line).matches()) {
        fenced = !fenced;
      } else if (fenced || INDENTED.matcher(line).matches()) {
        Matcher matcher = COMMAND.matcher(line.strip());
        if (matcher.matches()) {
          commands.add(new PageExcerpt(page, i + 1, withoutTrailingText(matcher.group(1))));
        }
      }
    }
    return commands;
  }

  static String withoutTrailingText(String command) {
    return TRAILING_TEXT.matcher(command).replaceFirst("");
  }
}
