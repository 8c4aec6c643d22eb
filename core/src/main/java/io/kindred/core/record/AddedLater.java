package io.kindred.core.record;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks one of the last components of a record that the record got after its encoding was fixed. A
 * record of a sealed family in which all these components have their default values (empty, zero,
 * false) keeps the encoding that it had before, so that the hashes of older runs stay the same.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface AddedLater {}
