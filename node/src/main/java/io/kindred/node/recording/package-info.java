/** Recording and replay of a node's events. */
@NullMarked
package io.kindred.node.recording;

import org.jspecify.annotations.NullMarked;
