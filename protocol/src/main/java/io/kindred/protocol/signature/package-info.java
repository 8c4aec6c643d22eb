/**
 * Compact model signatures (SemanticDFL, section 3.2 and appendix B.1): a model as its few largest
 * entries, how many those are, how alike two of them are, and the form in which they travel.
 */
@NullMarked
package io.kindred.protocol.signature;

import org.jspecify.annotations.NullMarked;
