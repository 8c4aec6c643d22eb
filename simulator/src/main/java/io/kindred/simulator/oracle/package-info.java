/** What somebody can tell who sees all peers at once: exact searches, and how good others were. */
@NullMarked
package io.kindred.simulator.oracle;

import org.jspecify.annotations.NullMarked;
