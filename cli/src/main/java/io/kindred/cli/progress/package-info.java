/** Progress of runs on the terminal. */
@NullMarked
package io.kindred.cli.progress;

import org.jspecify.annotations.NullMarked;
