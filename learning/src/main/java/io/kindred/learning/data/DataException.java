package io.kindred.learning.data;

/**
 * Data that a run needs cannot be read. The message names the data and is meant for the user who
 * provides them.
 */
public abstract sealed class DataException extends RuntimeException
    permits MissingDataException, DamagedDataException {
  private static final long serialVersionUID = 1;

  DataException(String message) {
    super(message);
  }
}
