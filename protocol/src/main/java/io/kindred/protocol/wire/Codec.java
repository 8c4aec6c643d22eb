package io.kindred.protocol.wire;

/** How one type is written and read. */
interface Codec {
  void write(Object value, WireOutput out);

  Object read(WireInput in) throws MalformedException;
}
