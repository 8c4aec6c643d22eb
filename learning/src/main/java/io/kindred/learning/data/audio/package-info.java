/** Speech data sets: WAV files, resampling and log-mel spectrograms. */
@NullMarked
package io.kindred.learning.data.audio;

import org.jspecify.annotations.NullMarked;
