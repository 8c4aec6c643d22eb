/** What a node exchanged, mixed and refused, in a log whose lines are chained by their hashes. */
@NullMarked
package io.kindred.node.audit;

import org.jspecify.annotations.NullMarked;
