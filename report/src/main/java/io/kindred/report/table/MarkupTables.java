package io.kindred.report.table;

import java.util.ArrayList;
import java.util.List;

/** Writes tables as LaTeX, HTML and Markdown. */
final class MarkupTables {
  private MarkupTables() {}

  static String latex(Table table) {
    StringBuilder out = new StringBuilder();
    if (!table.shownNote().isEmpty()) {
      out.append("% bold: best, underlined: ").append(escapeLatex(table.shownNote())).append('\n');
    }
    table.remarks().forEach(each -> out.append("% ").append(escapeLatex(each)).append('\n'));
    out.append("\\begin{tabular}{");
    table.columns().forEach(c -> out.append(c.align() == Column.Align.LEFT ? 'l' : 'r'));
    out.append("}\n\\toprule\n");
    List<String> header = new ArrayList<>();
    table.columns().forEach(column -> header.add(escapeLatex(column.header())));
    out.append(String.join(" & ", header)).append(" \\\\\n\\midrule\n");
    for (int row = 0; row < table.rows().size(); row++) {
      List<String> cells = new ArrayList<>();
      for (int column = 0; column < table.columns().size(); column++) {
        cells.add(latexCell(table, row, column));
      }
      out.append(String.join(" & ", cells)).append(" \\\\\n");
    }
    return out.append("\\bottomrule\n\\end{tabular}\n").toString();
  }

  private static String latexCell(Table table, int row, int column) {
    if (!(table.rows().get(row).get(column) instanceof Cell.Measured)) {
      return escapeLatex(table.cellText(row, column, ""));
    }
    String number = table.cellText(row, column, " \\pm ");
    if (table.isTied(row, column)) {
      return "$\\underline{" + number + "}$";
    }
    return table.isBest(row, column) ? "$\\mathbf{" + number + "}$" : "$" + number + "$";
  }

  private static String escapeLatex(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&', '%', '$', '#', '_', '{', '}' -> out.append('\\').append(c);
        case '\\' -> out.append("\\textbackslash{}");
        case '~' -> out.append("\\textasciitilde{}");
        case '^' -> out.append("\\textasciicircum{}");
        case '<' -> out.append("\\textless{}");
        case '>' -> out.append("\\textgreater{}");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  static String html(Table table) {
    StringBuilder out = new StringBuilder("<table>\n");
    if (!table.caption().isEmpty()) {
      out.append("<caption>").append(Html.escape(table.caption())).append("</caption>\n");
    }
    out.append("<thead><tr>");
    for (Column column : table.columns()) {
      out.append("<th scope=\"col\"").append(side(column)).append('>');
      // A unit must not be left alone on the next line.
      out.append(Html.escape(column.header().replace(" %", "\u00a0%"))).append("</th>");
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (int row = 0; row < table.rows().size(); row++) {
      out.append("<tr>");
      for (int column = 0; column < table.columns().size(); column++) {
        appendHtml(out, table, row, column);
      }
      out.append("</tr>\n");
    }
    out.append("</tbody>\n</table>\n");
    if (!table.shownNote().isEmpty()) {
      out.append("<p class=\"note\"><strong>best</strong>, <em>")
          .append(Html.escape(table.shownNote()))
          .append("</em></p>\n");
    }
    for (String remark : table.remarks()) {
      out.append("<p class=\"note\">").append(Html.escape(remark)).append("</p>\n");
    }
    return out.toString();
  }

  private static void appendHtml(StringBuilder out, Table table, int row, int column) {
    String element = column == 0 ? "th scope=\"row\"" : "td";
    String text = Html.escape(table.cellText(row, column, " ± "));
    int sign = text.indexOf(" ± ");
    if (sign >= 0 && table.rows().get(row).get(column) instanceof Cell.Measured) {
      text = text.substring(0, sign) + "<small> ± " + text.substring(sign + 3) + "</small>";
    }
    out.append('<').append(element).append(side(table.columns().get(column))).append('>');
    out.append(
        table.isBest(row, column)
            ? "<strong>" + text + "</strong>"
            : table.isTied(row, column) ? "<em>" + text + "</em>" : text);
    out.append(column == 0 ? "</th>" : "</td>");
  }

  private static String side(Column column) {
    return column.align() == Column.Align.RIGHT ? " class=\"number\"" : "";
  }

  static String markdown(Table table) {
    StringBuilder out = new StringBuilder();
    List<String> header = new ArrayList<>();
    List<String> rule = new ArrayList<>();
    for (Column column : table.columns()) {
      header.add(escapeMarkdown(column.header()));
      rule.add(column.align() == Column.Align.RIGHT ? "---:" : "---");
    }
    appendMarkdown(out, header);
    appendMarkdown(out, rule);
    for (int row = 0; row < table.rows().size(); row++) {
      List<String> cells = new ArrayList<>();
      for (int column = 0; column < table.columns().size(); column++) {
        String text = escapeMarkdown(table.cellText(row, column, " ± "));
        String mark = table.isBest(row, column) ? "**" : table.isTied(row, column) ? "*" : "";
        cells.add(mark + text + mark);
      }
      appendMarkdown(out, cells);
    }
    if (!table.shownNote().isEmpty()) {
      out.append("\n**best**, *").append(escapeMarkdown(table.shownNote())).append("*\n");
    }
    table.remarks().forEach(each -> out.append('\n').append(escapeMarkdown(each)).append('\n'));
    return out.toString();
  }

  private static void appendMarkdown(StringBuilder out, List<String> cells) {
    out.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String escapeMarkdown(String text) {
    return text.replaceAll("([\\\\|*_`<>])", "\\\\$1").replace('\n', ' ');
  }
}
