package io.kindred.lab.run;

import io.kindred.lab.experiment.Experiment;
import io.kindred.methods.Cast;
import io.kindred.node.NodePlan;
import io.kindred.node.identity.Identity;

/** Refuses, as a start would, what cannot work together. */
@FunctionalInterface
interface NodeChecks {
  NodePlan plan(Experiment experiment, Cast cast, Identity identity);
}
