/** Reads run folders: summary, metrics, rounds and the artifacts beside them. */
@NullMarked
package io.kindred.report.run;

import org.jspecify.annotations.NullMarked;
