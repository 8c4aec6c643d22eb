package io.kindred.learning.data;

/** A file of a data set does not exist. */
public final class MissingDataException extends DataException {
  private static final long serialVersionUID = 1;

  public MissingDataException(String set, String file) {
    super("data set " + set + " lacks the file " + file);
  }
}
