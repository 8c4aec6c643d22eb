/** How much of whose model: mathematics of shares that several methods have in common. */
@NullMarked
package io.kindred.methods.mixing;

import org.jspecify.annotations.NullMarked;
