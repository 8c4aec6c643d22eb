/**
 * The method {@code kin}: each peer keeps a shared, a personal and a lone model, mixes the shared
 * model with those of similar peers, and deploys what held-out scores of its peers favour.
 */
@NullMarked
package io.kindred.methods.kin;

import org.jspecify.annotations.NullMarked;
