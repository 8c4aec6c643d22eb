package io.kindred.learning.torch;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Skips tests of the engine itself if this platform has no natives on the class path. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@EnabledIf(
    value = "io.kindred.learning.torch.Natives#arePresent",
    disabledReason = "the torch engine has no native library for this platform")
@interface NeedsNatives {}
