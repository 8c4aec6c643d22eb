/** A node's events written down, and stepped through once more. */
@NullMarked
package io.kindred.node.recording;

import org.jspecify.annotations.NullMarked;
