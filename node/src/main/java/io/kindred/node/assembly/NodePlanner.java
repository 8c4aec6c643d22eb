package io.kindred.node.assembly;

import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.NodePlan;
import io.kindred.node.identity.Identity;
import io.kindred.runtime.config.Experiment;

/** Plans a node as a start does, and refuses settings that do not fit together. */
@FunctionalInterface
interface NodePlanner {
  NodePlan plan(Experiment experiment, PeerFactory factory, Identity identity);
}
