/**
 * Compact model signatures (SemanticDFL, section 3.2 and appendix B.1): a model as its few largest
 * entries, the number of entries, the similarity of two signatures, and their wire form.
 */
@NullMarked
package io.kindred.protocol.signature;

import org.jspecify.annotations.NullMarked;
