/**
 * Pulling the models of those most alike (SemanticDFL): train, sign, search, pull, mix. What tells
 * the methods apart is whom they look for and how; the rounds are common.
 */
@NullMarked
package io.kindred.methods.pull;

import org.jspecify.annotations.NullMarked;
