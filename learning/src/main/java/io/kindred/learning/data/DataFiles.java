package io.kindred.learning.data;

import java.util.List;
import java.util.function.Predicate;

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

  /** Takes the files of a tree as they come. */
  @FunctionalInterface
  interface Visitor {
    /** The file whose name stands at this place of the list. */
    void visit(int index, byte[] bytes);
  }

  /**
   * The sorted names of all files of a set that are wanted, in whatever folder or archive they lie;
   * parts of a name are separated by slashes and the ending of a compressor is left out.
   *
   * @param what such files in words, for the message when there is none
   * @throws MissingDataException when there is none
   */
  default List<String> list(String set, String what, Predicate<String> wanted) {
    throw new MissingDataException(set, what);
  }

  /**
   * Reads many files of a set, each once. They come in the order that suits the archive, so that it
   * is read but once; the index tells which one it is.
   *
   * @param names sorted, as {@link #list} gave them
   */
  default void readAll(String set, List<String> names, Visitor visitor) {
    for (int i = 0; i < names.size(); i++) {
      visitor.visit(i, read(set, names.get(i)));
    }
  }

  /**
   * The pixels of a picture file. It is here, because what decodes pictures belongs to the desktop
   * classes of the JDK, which the pure rooms do not load.
   *
   * @throws DamagedDataException when the bytes are no picture of a known format
   */
  default Picture picture(String file, byte[] bytes) {
    throw new DamagedDataException(file, "byte 0", "no decoder of pictures is at hand");
  }
}
