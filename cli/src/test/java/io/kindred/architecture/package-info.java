/**
 * Architecture gates: tests of module dependencies, determinism and size that run on every build.
 * Each gate is one function from classes or sources to findings. Each is also tested on planted
 * fixtures, because a gate that never fails cannot be distinguished from clean code.
 */
@NullMarked
package io.kindred.architecture;

import org.jspecify.annotations.NullMarked;
