package io.kindred.core.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a record component means as a configuration key. A component with an empty {@link #fallback}
 * must be given; {@code "{}"} stands for a section that is all defaults, {@code "[]"} for an empty
 * list.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
  String doc();

  /** The default, written as in an experiment file. */
  String fallback() default "";

  /** Smallest allowed number. */
  double min() default Double.NEGATIVE_INFINITY;

  /** Largest allowed number. */
  double max() default Double.POSITIVE_INFINITY;

  /** A number must be strictly greater than this. */
  double above() default Double.NEGATIVE_INFINITY;

  /** The logarithmic unit in which the number may be written too. */
  PowerUnit unit() default PowerUnit.NONE;

  /**
   * The values that a tuning tries: {@code "0.01..1"}, {@code "0.01..1 log"}, {@code "0.3x..3x"}
   * for multiples of the file's value, or a list as in {@code "1,2,4"}. A tuning leaves a setting
   * without them as it is.
   */
  String tune() default "";
}
