/** SQL queries over run folders. */
@NullMarked
package io.kindred.cli.query;

import org.jspecify.annotations.NullMarked;
