package io.kindred.architecture;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A banned use, in a developer's notation: a type ({@code java.util.Random}), all types with a
 * prefix ({@code java.net.http.*}), a member of a type or of its subtypes ({@code
 * java.lang.System#nanoTime}), or one overload ({@code java.lang.String#getBytes()}). A leading
 * {@code exactly} restricts a member to that type alone: {@code EnumSet.of} is not {@code Set.of}.
 */
record UsePattern(String owner, String member, String parameters, boolean isExact) {
  static final String ANY = "*";
  private static final String EXACTLY = "exactly ";

  static UsePattern of(String text) {
    boolean isExact = text.startsWith(EXACTLY);
    String[] parts = (isExact ? text.substring(EXACTLY.length()) : text).split("#", 2);
    if (parts.length == 1) {
      return new UsePattern(parts[0], ANY, ANY, isExact);
    }
    int end = parts[1].indexOf('(');
    return end < 0
        ? new UsePattern(parts[0], parts[1], ANY, isExact)
        : new UsePattern(parts[0], parts[1].substring(0, end), parts[1].substring(end), isExact);
  }

  static List<UsePattern> of(List<String> texts) {
    return texts.stream().map(UsePattern::of).toList();
  }

  boolean isOfWholeType() {
    return member.equals(ANY);
  }

  boolean matches(JavaClass type) {
    String name = type.getName();
    return isOfWholeType()
        && (isFamily()
            ? name.startsWith(prefix())
            : name.equals(owner) || name.startsWith(owner + "$"));
  }

  /**
   * A call names the static type of its receiver, so {@code parallelStream} on an {@code ArrayList}
   * must match the pattern for {@code Collection}.
   */
  boolean matches(AccessTarget target) {
    return !isOfWholeType()
        && target.getName().equals(member)
        && ownerMatches(target.getOwner())
        && (parameters.equals(ANY) || parameters.equals(parametersOf(target)));
  }

  private boolean ownerMatches(JavaClass actual) {
    if (isFamily()) {
      return actual.getName().startsWith(prefix());
    }
    return isExact ? actual.getName().equals(owner) : actual.isAssignableTo(owner);
  }

  boolean isFamily() {
    return owner.endsWith(ANY);
  }

  private String prefix() {
    return owner.substring(0, owner.length() - ANY.length());
  }

  private static String parametersOf(AccessTarget target) {
    return target instanceof AccessTarget.CodeUnitAccessTarget code
        ? code.getRawParameterTypes().stream()
            .map(JavaClass::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"))
        : "";
  }
}
