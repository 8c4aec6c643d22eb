/** Tickets: everything slow and pure that a peer asks its shell to compute, and what comes back. */
@NullMarked
package io.kindred.core.compute;

import org.jspecify.annotations.NullMarked;
