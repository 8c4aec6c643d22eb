/** Text data sets: tokenizer, vocabulary and windows of characters. */
@NullMarked
package io.kindred.learning.data.text;

import org.jspecify.annotations.NullMarked;
