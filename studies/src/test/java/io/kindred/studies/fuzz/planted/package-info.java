/**
 * Bugs that are planted into the compiled classes, to see which of them the checkers find. One
 * class loader holds all of them, each behind a switch, so that they share the compiled code.
 */
@NullMarked
package io.kindred.studies.fuzz.planted;

import org.jspecify.annotations.NullMarked;
