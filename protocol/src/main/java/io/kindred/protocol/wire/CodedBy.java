package io.kindred.protocol.wire;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the codec of a type whose derived form would be wasteful. The codec has a constructor
 * without parameters; reading what it wrote must give an equal value.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CodedBy {
  Class<? extends Codec> value();
}
