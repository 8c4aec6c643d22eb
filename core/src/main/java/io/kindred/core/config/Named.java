package io.kindred.core.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name by which experiment files, lists and the wire know a type; lower case with hyphens. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Named {
  String value();

  /** One line for {@code kindred methods} and the other listing commands. */
  String summary() default "";
}
