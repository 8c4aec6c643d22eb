/**
 * The {@code torch} engine: PyTorch's native library, called in process, for models whose layers
 * the {@code jvm} engine lacks or computes too slowly. Weights come in and gradients go out as flat
 * arrays, so no native memory outlives a call except each engine's own scratch memory.
 */
@NullMarked
package io.kindred.learning.torch;

import org.jspecify.annotations.NullMarked;
