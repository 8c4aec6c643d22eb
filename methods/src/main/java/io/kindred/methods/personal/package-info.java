/** Methods that keep a personal model, or a personal part of one, beside the shared model. */
@NullMarked
package io.kindred.methods.personal;

import org.jspecify.annotations.NullMarked;
