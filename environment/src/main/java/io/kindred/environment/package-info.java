/**
 * What surrounds peers, as values: who is whose neighbour, how long a message takes, how fast a
 * device computes.
 */
@NullMarked
package io.kindred.environment;

import org.jspecify.annotations.NullMarked;
