/** Readers of file formats that hold samples: CSV, IDX, JSON, safetensors. */
@NullMarked
package io.kindred.learning.data.format;

import org.jspecify.annotations.NullMarked;
