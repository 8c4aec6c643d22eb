/** What a node keeps on its disk between two lives. */
@NullMarked
package io.kindred.node.state;

import org.jspecify.annotations.NullMarked;
