/**
 * Membership: heartbeats, leases, takeover, joining and leaving of built zones (SemanticDFL,
 * section 3.7).
 */
@NullMarked
package io.kindred.protocol.overlay.membership;

import org.jspecify.annotations.NullMarked;
