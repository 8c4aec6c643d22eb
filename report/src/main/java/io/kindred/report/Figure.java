package io.kindred.report;

/**
 * One drawn figure.
 *
 * @param name file name without ending
 * @param caption what the reader sees and how it was computed
 */
public record Figure(String name, String title, String caption, String svg) {}
