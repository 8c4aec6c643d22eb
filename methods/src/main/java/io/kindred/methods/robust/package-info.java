/**
 * Rules of mixing that withstand hostile models. {@link io.kindred.methods.robust.RobustRule} is
 * the one contract of all rules, and {@link io.kindred.methods.robust.RobustMixing} applies the
 * rule of a run to the mixtures of any method, on a graph, by pulling and on a server alike.
 */
@NullMarked
package io.kindred.methods.robust;

import org.jspecify.annotations.NullMarked;
