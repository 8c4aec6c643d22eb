/**
 * Studies of the semantic overlay without training: built over drawn signatures or saved models,
 * inspected, and queried.
 */
@NullMarked
package io.kindred.studies.overlay;

import org.jspecify.annotations.NullMarked;
