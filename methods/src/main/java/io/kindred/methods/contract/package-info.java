/**
 * What a method provides and what it is given: {@link io.kindred.methods.contract.Method}, the
 * context of a peer, local training and timeouts. A method is a record of its parameters that
 * creates the machines of a peer; there is no base class that owns the loop.
 */
@NullMarked
package io.kindred.methods.contract;

import org.jspecify.annotations.NullMarked;
