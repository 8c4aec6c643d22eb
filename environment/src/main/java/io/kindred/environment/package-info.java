/** The environment of the peers, as values: neighbour graph, links, devices, churn and faults. */
@NullMarked
package io.kindred.environment;

import org.jspecify.annotations.NullMarked;
