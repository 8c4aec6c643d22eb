package io.kindred.protocol.wire;

import io.kindred.protocol.wire.ContainerCodecs.Part;
import java.util.LinkedHashMap;
import java.util.Map;
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
   * The tag is the position among the permitted types, so such families may only be appended to. A
   * record with a value in a component that was {@link io.kindred.core.record.AddedLater added
   * later} has the tag of its position plus {@link #EXTENDED}.
   */
  static final class OfSealed implements Codec {
    /** More than the members of any family; tags up to 127 take one byte. */
    private static final int EXTENDED = 64;

    private final Wire wire;
    private final Class<?> type;
    // The JVM makes this list anew for each caller.
    private final Class<?>[] members;

    OfSealed(Wire wire, Class<?> type) {
      this.wire = wire;
      this.type = type;
      members = type.getPermittedSubclasses();
    }

    @Override
    public void write(Object value, WireOutput out) {
      for (int i = 0; i < members.length; i++) {
        if (members[i].isInstance(value)) {
          write(i, wire.codec(members[i]), value, out);
          return;
        }
      }
      throw new IllegalArgumentException(value.getClass() + " is not permitted in " + type);
    }

    private static void write(int position, Codec codec, Object value, WireOutput out) {
      if (codec instanceof RecordCodec extendable && extendable.isExtendable()) {
        boolean extended = extendable.isExtended(value);
        out.writeCount(extended ? EXTENDED + position : position);
        extendable.write(value, extended, out);
      } else {
        out.writeCount(position);
        codec.write(value, out);
      }
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      int tag = in.readOrdinal(EXTENDED + members.length, type.getSimpleName());
      boolean extended = tag >= EXTENDED;
      int position = extended ? tag - EXTENDED : tag;
      boolean known = position < members.length;
      if (known
          && wire.codec(members[position]) instanceof RecordCodec extendable
          && extendable.isExtendable()) {
        return extendable.read(in, extended);
      }
      if (!known || extended) {
        throw new MalformedException("no " + type.getSimpleName() + " number " + tag);
      }
      return wire.read(members[position], in);
    }
  }

  /** The tag is the registered name; what is not registered can be neither sent nor received. */
  static final class OfNamed implements Codec {
    private record Member(String name, Part codec) {}

    private final Wire wire;
    private final Class<?> type;
    private final SortedMap<String, Class<?>> named;
    private final Map<Class<?>, Member> members = new LinkedHashMap<>();

    OfNamed(Wire wire, Class<?> type, SortedMap<String, Class<?>> named) {
      this.wire = wire;
      this.type = type;
      this.named = named;
      named.forEach(
          (name, member) -> members.put(member, new Member(name, new Part(wire, member))));
    }

    @Override
    public void write(Object value, WireOutput out) {
      Member member = members.get(value.getClass());
      if (member == null) {
        throw new IllegalArgumentException(value.getClass() + " is not registered with the codec");
      }
      out.writeText(member.name());
      member.codec().codec().write(value, out);
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
