/**
 * What every room shares: who a peer is, what happens to it (events), what it asks for (effects),
 * and what it says (messages, notes, observations). Values only; nothing here reads a clock, draws
 * a global random or does IO.
 */
@NullMarked
package io.kindred.core;

import org.jspecify.annotations.NullMarked;
