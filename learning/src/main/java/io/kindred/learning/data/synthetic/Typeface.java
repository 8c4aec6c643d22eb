package io.kindred.learning.data.synthetic;

import java.util.List;

/** The styles in which {@link Glyphs} draws its characters, from plainest to strangest. */
public enum Typeface {
  /** Even strokes and full bowls. */
  ROUND(0, 0),
  /** Straight strokes, after the seven-segment display. */
  SQUARE(0, 0),
  /** Thick uprights, thin crossbars, feet at the ends. */
  SERIF(0.6, 0),
  /** A slanting hand with a broad nib and its own letter forms. */
  SCRIPT(0.35, 0.22),
  /** Only the outline of each stroke. */
  HOLLOW(0, 0),
  /** Strokes made of dots. */
  DOTTED(0, 0);

  /** All typefaces in the order in which the setting counts them. */
  static final List<Typeface> ALL = List.of(values());

  private final double contrast;
  private final double slant;

  Typeface(double contrast, double slant) {
    this.contrast = contrast;
    this.slant = slant;
  }

  StrokePath strokes(int character) {
    List<StrokePath> alphabet =
        switch (this) {
          case ROUND, DOTTED -> Alphabets.ROUND;
          case SQUARE -> Alphabets.SQUARE;
          case SERIF, HOLLOW -> Alphabets.SERIF;
          case SCRIPT -> Alphabets.SCRIPT;
        };
    return alphabet.get(character);
  }

  /** How much thinner a level stroke is than an upright one, from 0 to 1. */
  double contrast() {
    return contrast;
  }

  /** Sideways shift per unit of height that is part of the style itself. */
  double slant() {
    return slant;
  }
}
