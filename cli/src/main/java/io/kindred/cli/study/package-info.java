/** Commands for studies of the overlay, radio links, hierarchies and bias, and for fuzzing. */
@NullMarked
package io.kindred.cli.study;

import org.jspecify.annotations.NullMarked;
