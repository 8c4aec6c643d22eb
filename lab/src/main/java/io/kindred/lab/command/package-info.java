/** The command line: each verb one class. */
@NullMarked
package io.kindred.lab.command;

import org.jspecify.annotations.NullMarked;
