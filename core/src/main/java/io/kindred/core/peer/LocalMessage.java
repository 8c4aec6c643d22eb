package io.kindred.core.peer;

/**
 * A message from one machine of a peer to another machine of the same peer; it never leaves the
 * process.
 */
public interface LocalMessage {}
