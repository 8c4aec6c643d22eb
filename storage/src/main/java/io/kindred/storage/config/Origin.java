package io.kindred.storage.config;

/** Where a piece of configuration was written. A line of 0 means the source as a whole. */
public record Origin(String source, int line) {
  public Origin {
    if (line < 0) {
      throw new IllegalArgumentException("line must be 0 or more, but is " + line);
    }
  }

  public static Origin file(String name, int line) {
    return new Origin(name, line);
  }

  /** A source without lines of its own, such as a generated tree. */
  public static Origin named(String source) {
    return new Origin(source, 0);
  }

  public static Origin override(String assignment) {
    return named("--set " + assignment);
  }

  @Override
  public String toString() {
    return line == 0 ? source : source + ":" + line;
  }
}
