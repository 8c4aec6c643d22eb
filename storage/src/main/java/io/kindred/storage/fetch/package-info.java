/** Fetching data sets from where they are published. */
@NullMarked
package io.kindred.storage.fetch;

import org.jspecify.annotations.NullMarked;
