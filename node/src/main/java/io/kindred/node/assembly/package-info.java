/**
 * One node from node.yaml to its run folder: checks before the start, metrics, the model card, and
 * a fleet of nodes on one machine.
 */
@NullMarked
package io.kindred.node.assembly;

import org.jspecify.annotations.NullMarked;
