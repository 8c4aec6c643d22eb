/** The command line: each verb one class. */
@NullMarked
package io.kindred.cli;

import org.jspecify.annotations.NullMarked;
