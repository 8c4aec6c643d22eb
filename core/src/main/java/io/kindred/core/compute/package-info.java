/** Tickets: slow and pure work that a peer asks its shell to compute, and the results. */
@NullMarked
package io.kindred.core.compute;

import org.jspecify.annotations.NullMarked;
