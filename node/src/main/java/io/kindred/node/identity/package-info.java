/** Keys and certificates: who a node is, and who says so. */
@NullMarked
package io.kindred.node.identity;

import org.jspecify.annotations.NullMarked;
