package io.kindred.storage.disk;

import io.kindred.learning.data.RawTable;

/**
 * Reads Parquet files. An implementation is found on the class path, because its native code is
 * larger than everything that a node needs.
 */
public interface ParquetDecoder {
  /**
   * The cells of a file as text.
   *
   * @param file for messages
   */
  RawTable decode(String file, byte[] bytes);
}
