/** Neighbour graphs: the topologies that an experiment can name, and measures of a graph. */
@NullMarked
package io.kindred.environment.topology;

import org.jspecify.annotations.NullMarked;
