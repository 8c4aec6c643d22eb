package io.kindred.learning.data;

/**
 * A file of a data set is not what its format says; names the file and the byte or record where it
 * broke.
 */
public final class DamagedDataException extends DataException {
  private static final long serialVersionUID = 1;

  public DamagedDataException(String file, String place, String problem) {
    super(file + " is damaged at " + place + ": " + problem);
  }
}
