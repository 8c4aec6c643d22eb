/** Links between peers: bandwidth, latency and loss, drawn or computed from a radio channel. */
@NullMarked
package io.kindred.environment.link;

import org.jspecify.annotations.NullMarked;
