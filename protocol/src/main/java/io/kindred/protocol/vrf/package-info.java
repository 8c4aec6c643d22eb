/**
 * Election of zone initiators (SemanticDFL, section 3.3.1, algorithm 2): verifiable random scores
 * after RFC 9381, one per peer and epoch, that no peer can choose and every peer can verify.
 */
@NullMarked
package io.kindred.protocol.vrf;

import org.jspecify.annotations.NullMarked;
