package io.kindred.core.record;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Generates a builder for a record: {@code StateBuilder.from(state).round(2).build()} is the state
 * with another round. The builder calls the record's constructor with the values as they are, so it
 * copies and checks exactly what the constructor does. The annotation on generated classes remains
 * in class files: the architecture gates and the coverage report recognize generated code by it.
 */
@RecordBuilder.Template(
    options =
        @RecordBuilder.Options(
            copyMethodName = "from",
            enableWither = false,
            enableGetters = false,
            addStaticBuilder = false,
            prefixEnclosingClassNames = false,
            inheritComponentAnnotations = false,
            addClassRetainedGenerated = true))
@Documented
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface Buildable {}
