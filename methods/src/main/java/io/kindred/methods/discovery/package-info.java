/**
 * How a peer finds the peers whose models it wants: the setting {@code discovery} of the methods
 * that pull models, and of methods in rounds with partners. {@link
 * io.kindred.methods.discovery.PeerDiscovery} is the contract of a discovery, and {@link
 * io.kindred.methods.discovery.PeerSearch} uses it for a machine of a method.
 */
@NullMarked
package io.kindred.methods.discovery;

import org.jspecify.annotations.NullMarked;
