package io.kindred.learning.data;

/** A file in the folder of a data set that gives no sample, and why. */
public record UnusedFile(String file, String reason) {}
