/**
 * Keys, certificates and signatures: the identity of a node, and the authority that certifies it.
 */
@NullMarked
package io.kindred.node.identity;

import org.jspecify.annotations.NullMarked;
