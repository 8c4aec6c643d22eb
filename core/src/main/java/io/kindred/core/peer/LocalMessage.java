package io.kindred.core.peer;

/**
 * What one machine of a peer says to another machine of the same peer; it never leaves the process.
 */
public interface LocalMessage {}
