/**
 * The {@code torch} engine: PyTorch's native library, called in process, for models that our own
 * kernels do not know or not fast enough. Weights come in and gradients go out as flat arrays, so
 * nothing native outlives a call but each engine's own scratch memory.
 */
@NullMarked
package io.kindred.learning.torch;

import org.jspecify.annotations.NullMarked;
