package io.kindred.core.config;

/**
 * An operator's mistake: a setting that is valid on its own but impossible together with the rest.
 * It names the key by its dotted path, so that the reader of the file can add the line number.
 */
public final class SettingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String path;
  private final String remedy;

  public SettingException(String path, String problem, String remedy) {
    super(problem);
    this.path = path;
    this.remedy = remedy;
  }

  /** The key that is at fault, such as {@code partition.alpha}. */
  public String path() {
    return path;
  }

  public String problem() {
    return String.valueOf(getMessage());
  }

  /** What the operator can do about it. */
  public String remedy() {
    return remedy;
  }

  /** Key, problem and remedy in one line. */
  public String line() {
    String key = path.isEmpty() ? "" : "'" + path + "': ";
    return key + problem() + (remedy.isEmpty() ? "" : "; " + remedy);
  }
}
