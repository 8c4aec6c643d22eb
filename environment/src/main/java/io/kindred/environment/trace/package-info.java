/** Tables from text files that describe an environment over time: positions, gains, links. */
@NullMarked
package io.kindred.environment.trace;

import org.jspecify.annotations.NullMarked;
