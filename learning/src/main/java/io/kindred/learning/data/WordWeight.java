package io.kindred.learning.data;

/** A word that describes texts, and its weight. */
public record WordWeight(String word, double weight) {}
