/** Tables of a user: separated values or Parquet, with columns of numbers and of words. */
@NullMarked
package io.kindred.learning.data.table;

import org.jspecify.annotations.NullMarked;
