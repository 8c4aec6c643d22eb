/** Pictures and summaries of a data set for the data command. */
@NullMarked
package io.kindred.cli.data;

import org.jspecify.annotations.NullMarked;
