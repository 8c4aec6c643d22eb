package io.kindred.runtime.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Fits the help of a command line into a terminal of ordinary width. */
final class UsageText {
  private static final int COLUMNS = 80;

  private UsageText() {}

  /** Applies to the command and to all commands below it. */
  static void fit(CommandLine line) {
    line.setUsageHelpWidth(COLUMNS);
    UsageMessageSpec usage = line.getCommandSpec().usageMessage();
    usage.description(paragraphs(usage.description()));
    usage.footer(paragraphs(usage.footer()));
    line.getSubcommands().values().forEach(UsageText::fit);
  }

  /**
   * Joins the lines of each paragraph, because a paragraph that was broken for the source would be
   * broken again at the end of the terminal. Indented lines are examples and stay as they are.
   */
  static String[] paragraphs(String[] lines) {
    List<String> joined = new ArrayList<>();
    boolean open = false;
    for (String line : lines) {
      boolean prose = !line.isBlank() && !line.startsWith(" ");
      joined.add(prose && open ? joined.removeLast() + " " + line : line);
      open = prose;
    }
    return joined.toArray(String[]::new);
  }
}
