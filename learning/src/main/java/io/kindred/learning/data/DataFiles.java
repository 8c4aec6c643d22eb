package io.kindred.learning.data;

/**
 * Where the bytes of data sets come from; whoever implements it knows folders and compression,
 * decoders know formats.
 */
public interface DataFiles {
  /** No files at all: for data that are drawn. */
  DataFiles NONE =
      (set, file) -> {
        throw new MissingDataException(set, file);
      };

  /**
   * The whole file, decompressed.
   *
   * @param set the data set's folder, such as {@code fashion-mnist}
   * @param file the file's original name without the ending of a compressor
   * @throws MissingDataException when it is not there
   */
  byte[] read(String set, String file);

  /** Whether the file is there. */
  default boolean has(String set, String file) {
    return false;
  }
}
