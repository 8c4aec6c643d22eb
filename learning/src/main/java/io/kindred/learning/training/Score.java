package io.kindred.learning.training;

/** How a predictor did on some samples; loss and accuracy are means, NaN where there were none. */
public record Score(double loss, double accuracy, int samples) {}
