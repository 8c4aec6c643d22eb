/**
 * Discovery of similar peers by gossip: random contacts (peer sampling), a view of the most similar
 * peers with sketches of their models, and a search over these views.
 */
@NullMarked
package io.kindred.protocol.discovery;

import org.jspecify.annotations.NullMarked;
