/** Methods that keep a model, or a part of one, for each peer beside what they share. */
@NullMarked
package io.kindred.methods.personal;

import org.jspecify.annotations.NullMarked;
