/**
 * Who starts a zone (SemanticDFL, section 3.3.1, algorithm 2): verifiable random scores after RFC
 * 9381, one per peer and epoch, that nobody can choose and everybody can check.
 */
@NullMarked
package io.kindred.protocol.vrf;

import org.jspecify.annotations.NullMarked;
