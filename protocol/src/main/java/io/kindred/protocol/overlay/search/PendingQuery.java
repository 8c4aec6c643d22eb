package io.kindred.protocol.overlay.search;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.overlay.SearchMessage;
import java.util.Optional;

/**
 * A query that this peer started.
 *
 * @param sent whether the query was sent; it waits while the peer has no home cluster
 */
@Buildable
public record PendingQuery(
    SearchMessage.QuerySpec spec, Optional<Double> threshold, boolean sent, long startedAt) {}
