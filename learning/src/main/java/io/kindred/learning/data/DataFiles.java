package io.kindred.learning.data;

import java.util.List;
import java.util.function.Predicate;

/**
 * Where the bytes of data sets come from. An implementation knows folders and compression; decoders
 * know formats.
 */
public interface DataFiles {
  /** No files at all, for generated data. */
  DataFiles NONE =
      (set, file) -> {
        throw new MissingDataException(set, file);
      };

  /**
   * The whole file, decompressed.
   *
   * @param set the data set's folder, such as {@code fashion-mnist}
   * @param file the file's original name without the ending of a compressor
   * @throws MissingDataException when the file does not exist
   */
  byte[] read(String set, String file);

  /** Whether the file exists. */
  default boolean has(String set, String file) {
    return false;
  }

  /** Receives the files of a tree in the order in which they are read. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Called for each file.
     *
     * @param index the file's index in the list of names
     */
    void visit(int index, byte[] bytes);
  }

  /**
   * The sorted names of all wanted files of a set, in any of its folders and archives. Parts of a
   * name are separated by slashes; the ending of a compressor is left out.
   *
   * @param what a description of such files, for the message when none exists
   * @throws MissingDataException when no such file exists
   */
  default List<String> list(String set, String what, Predicate<String> wanted) {
    throw new MissingDataException(set, what);
  }

  /** Whether a set has any file as {@link #list} returns them. */
  default boolean anyOf(String set, Predicate<String> wanted) {
    return false;
  }

  /** The sorted names of all other files of a set: those that {@link #list} does not return. */
  default List<String> others(String set, Predicate<String> wanted) {
    return List.of();
  }

  /**
   * Reads many files of a set, each once. The implementation chooses the order, so that an archive
   * is read only once; the index identifies the file.
   *
   * @param names sorted, as {@link #list} returned them
   */
  default void readAll(String set, List<String> names, Visitor visitor) {
    for (int i = 0; i < names.size(); i++) {
      visitor.visit(i, read(set, names.get(i)));
    }
  }

  /**
   * The cells of a Parquet file. The method is here because the decoder is native code.
   *
   * @throws DamagedDataException when the bytes are no such file, or when there is no decoder
   */
  default RawTable parquet(String file, byte[] bytes) {
    throw new DamagedDataException(
        file,
        "byte 0",
        "only the kindred command reads Parquet; write it as CSV with 'kindred data convert'");
  }

  /**
   * The pixels of an image file. The method is here because the image decoders belong to the
   * desktop classes of the JDK, which the modules without IO do not load.
   *
   * @throws DamagedDataException when the bytes are no image of a known format
   */
  default Picture picture(String file, byte[] bytes) {
    throw new DamagedDataException(file, "byte 0", "this reader has no decoder for pictures");
  }
}
