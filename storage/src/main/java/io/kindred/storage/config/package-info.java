/**
 * Experiment files: YAML read into a tree that remembers lines, overlaid with profiles and {@code
 * --set}, and bound to annotated records. Every mistake ends as one line with file, line and fix,
 * which is why the tree keeps each scalar's text: only the target type knows what {@code 007} is.
 */
@NullMarked
package io.kindred.storage.config;

import org.jspecify.annotations.NullMarked;
