package io.kindred.protocol.discovery;

import io.kindred.protocol.wire.Codec;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;

/** A sketch on the wire: its form, the logarithm of its size, its bytes. */
final class SketchCodec implements Codec {
  @Override
  @SuppressWarnings("EnumOrdinal") // the wire form is the position, as for every enum
  public void write(Object value, WireOutput out) {
    Sketch sketch = (Sketch) value;
    out.writeCount(sketch.form().ordinal());
    out.writeCount(Integer.numberOfTrailingZeros(sketch.bytes()));
    out.writeBytes(sketch.encoded());
  }

  @Override
  public Object read(WireInput in) throws MalformedException {
    SketchForm[] forms = SketchForm.values();
    SketchForm form = forms[in.readOrdinal(forms.length, "form of a sketch")];
    int size = 1 << in.readOrdinal(Integer.SIZE - 1, "size of a sketch");
    if (size < Sketch.MIN_BYTES || size > Sketch.MAX_BYTES) {
      throw new MalformedException("a sketch of " + size + " bytes");
    }
    try {
      return Sketch.wrap(form, in.readBytes(size));
    } catch (IllegalArgumentException e) {
      throw new MalformedException("sketch: " + e.getMessage());
    }
  }
}
