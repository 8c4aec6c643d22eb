/** What a node says to its operator, line by line. */
@NullMarked
package io.kindred.node.log;

import org.jspecify.annotations.NullMarked;
