/**
 * Methods that pull the models of similar peers (SemanticDFL): train, sign, search, pull, mix. The
 * methods differ in which peers they search for and how; the rounds are common.
 */
@NullMarked
package io.kindred.methods.pull;

import org.jspecify.annotations.NullMarked;
