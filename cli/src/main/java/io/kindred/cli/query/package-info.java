/** Runs as tables that SQL can ask. */
@NullMarked
package io.kindred.cli.query;

import org.jspecify.annotations.NullMarked;
