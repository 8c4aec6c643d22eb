package io.kindred.learning.data;

/** Data that a run needs cannot be read; the message says which, and is for whoever has them. */
public abstract sealed class DataException extends RuntimeException
    permits MissingDataException, DamagedDataException {
  private static final long serialVersionUID = 1;

  DataException(String message) {
    super(message);
  }
}
