/**
 * The gates: what the house promises about its rooms, its determinism and its size, checked on
 * every build. Each gate is one function from classes or sources to findings, and each proves on
 * planted fixtures that it can fail, because a gate that never closes looks just like a clean
 * house.
 */
@NullMarked
package io.kindred.architecture;

import org.jspecify.annotations.NullMarked;
