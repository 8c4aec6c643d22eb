/** Fetching data sets from where they are published. */
@NullMarked
package io.kindred.files.fetch;

import org.jspecify.annotations.NullMarked;
