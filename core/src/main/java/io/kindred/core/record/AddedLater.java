package io.kindred.core.record;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an {@link java.util.Optional} component, the last of a record in a sealed family, that the
 * record got after its encoding was fixed. A record without the value keeps the encoding that it
 * had before, so that the trace hashes of older runs stay the same.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface AddedLater {}
