package io.kindred.protocol.overlay.clustering;

import io.kindred.protocol.overlay.StepView;
import io.kindred.protocol.overlay.ZoneView;
import io.kindred.protocol.overlay.formation.FormationState;

/**
 * What clustering may read of other parts of the overlay.
 *
 * @param ready whether the peer has a home cluster and knows that the overlay is built
 */
public record ClusteringView(
    StepView step, FormationState formation, ZoneView zones, boolean ready) {}
