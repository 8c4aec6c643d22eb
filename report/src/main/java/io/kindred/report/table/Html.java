package io.kindred.report.table;

/** Escaping for HTML pages, in one place so that no text can inject markup. */
public final class Html {
  private Html() {}

  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
