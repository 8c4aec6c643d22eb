package io.kindred.learning.data;

/** A file of a data set does not exist. */
public final class MissingDataException extends DataException {
  private static final long serialVersionUID = 1;

  private final String set;
  private final String file;

  public MissingDataException(String set, String file) {
    super("data set " + set + " lacks the file " + file);
    this.set = set;
    this.file = file;
  }

  public String set() {
    return set;
  }

  public String file() {
    return file;
  }
}
