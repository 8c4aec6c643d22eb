/** Results as JSON: one line per record, in the order of its components. */
@NullMarked
package io.kindred.storage.json;

import org.jspecify.annotations.NullMarked;
