/** Runs as tables that SQL can ask. */
@NullMarked
package io.kindred.lab.query;

import org.jspecify.annotations.NullMarked;
