package io.kindred.learning.training;

/**
 * How a predictor did on some samples; loss, accuracy and error are means, NaN where there were
 * none. Only classes have an accuracy; only numbers have an error, the distance between what was
 * answered and what was asked for.
 */
public record Score(double loss, double accuracy, double error, int samples) {}
