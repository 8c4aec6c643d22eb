/** From text to token numbers: pieces of words, the likeliest way to cut a text into them. */
@NullMarked
package io.kindred.learning.text;

import org.jspecify.annotations.NullMarked;
