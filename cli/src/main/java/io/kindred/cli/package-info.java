/** The command line: one class per command. */
@NullMarked
package io.kindred.cli;

import org.jspecify.annotations.NullMarked;
