/**
 * Hostile peers: which peers of a run are hostile and what they do. A hostile peer runs the honest
 * machines of its method, and an interceptor falsifies what they send, so every method meets every
 * behaviour in simulator and fleet.
 */
@NullMarked
package io.kindred.environment.adversary;

import org.jspecify.annotations.NullMarked;
