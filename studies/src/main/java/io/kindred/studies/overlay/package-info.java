/**
 * The semantic overlay by itself: built over drawn signatures or saved models, looked at, and
 * asked.
 */
@NullMarked
package io.kindred.studies.overlay;

import org.jspecify.annotations.NullMarked;
