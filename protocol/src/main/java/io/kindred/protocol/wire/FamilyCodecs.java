package io.kindred.protocol.wire;

import io.kindred.core.config.Catalogue;
import java.util.SortedMap;

/** Codecs of types with several members: a tag says which, then the member follows. */
final class FamilyCodecs {
  /**
   * Characters of an unknown name that an error message repeats: the name may be as long as the
   * input.
   */
  private static final int MAX_NAME_LENGTH = 40;

  private FamilyCodecs() {}

  private static String clipped(String name) {
    return name.length() <= MAX_NAME_LENGTH ? name : name.substring(0, MAX_NAME_LENGTH) + "...";
  }

  /** The tag is the ordinal, so such enums may only be appended to. */
  record OfEnum(Class<?> type) implements Codec {
    @Override
    @SuppressWarnings("EnumOrdinal") // the wire form is the position, by definition
    public void write(Object value, WireOutput out) {
      out.writeCount(((Enum<?>) value).ordinal());
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      Object[] constants = type.getEnumConstants();
      return constants[in.readOrdinal(constants.length, type.getSimpleName())];
    }
  }

  /**
   * The tag is the position among the permitted types, so such families may only be appended to.
   */
  record OfSealed(Wire wire, Class<?> type) implements Codec {
    @Override
    public void write(Object value, WireOutput out) {
      Class<?>[] members = type.getPermittedSubclasses();
      for (int i = 0; i < members.length; i++) {
        if (members[i].isInstance(value)) {
          out.writeCount(i);
          wire.write(members[i], value, out);
          return;
        }
      }
      throw new IllegalArgumentException(value.getClass() + " is not permitted in " + type);
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      Class<?>[] members = type.getPermittedSubclasses();
      return wire.read(members[in.readOrdinal(members.length, type.getSimpleName())], in);
    }
  }

  /** The tag is the registered name; what is not registered can be neither sent nor received. */
  record OfNamed(Wire wire, Class<?> type, SortedMap<String, Class<?>> named) implements Codec {
    @Override
    public void write(Object value, WireOutput out) {
      String name = Catalogue.nameOf(value.getClass());
      if (named.get(name) != value.getClass()) {
        throw new IllegalArgumentException(value.getClass() + " is not registered with the codec");
      }
      out.writeText(name);
      wire.write(value.getClass(), value, out);
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      String name = in.readText();
      Class<?> member = named.get(name);
      if (member == null || !type.isAssignableFrom(member)) {
        throw new MalformedException("no " + type.getSimpleName() + " named " + clipped(name));
      }
      return wire.read(member, in);
    }
  }
}
