package io.kindred.learning.data.format;

/** The bytes are no safetensors file. The reader of the bytes adds which file it was. */
public final class SafetensorsException extends Exception {
  private static final long serialVersionUID = 1;

  private final long position;
  private final String problem;
  private final String expected;
  private final String found;

  SafetensorsException(long position, String problem, String expected, String found) {
    super(describe(problem, expected, found));
    this.position = position;
    this.problem = problem;
    this.expected = expected;
    this.found = found;
  }

  private static String describe(String problem, String expected, String found) {
    return "the file " + problem + "; expected " + expected + ", found " + found;
  }

  /** The message, which is never absent. */
  String description() {
    return describe(problem, expected, found);
  }

  /** The byte of the file where the problem was found. */
  public long position() {
    return position;
  }

  /** The rest of a sentence that begins with the file. */
  public String problem() {
    return problem;
  }

  public String expected() {
    return expected;
  }

  public String found() {
    return found;
  }
}
