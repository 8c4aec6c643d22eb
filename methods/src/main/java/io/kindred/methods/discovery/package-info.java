/**
 * How a peer finds the peers whose models it wants: the setting {@code discovery} of the methods
 * that pull models. {@link io.kindred.methods.discovery.PeerDiscovery} is the contract.
 */
@NullMarked
package io.kindred.methods.discovery;

import org.jspecify.annotations.NullMarked;
