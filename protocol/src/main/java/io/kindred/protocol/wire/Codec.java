package io.kindred.protocol.wire;

/**
 * How one type is written and read. Most codecs follow from the type; one that does not is named by
 * {@link CodedBy}.
 */
public interface Codec {
  void write(Object value, WireOutput out);

  Object read(WireInput in) throws MalformedException;
}
