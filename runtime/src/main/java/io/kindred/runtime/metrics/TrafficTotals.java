package io.kindred.runtime.metrics;

/** Bytes sent by all peers and servers together until a tick. */
public record TrafficTotals(long modelBytes, long controlBytes, long tick) {}
