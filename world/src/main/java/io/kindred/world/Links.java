package io.kindred.world;

import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Catalogue;
import java.util.List;

/**
 * Says how the way between any two participants is; a record whose components are its settings. A
 * pure function, so that nobody has to keep a table of all pairs.
 */
public interface Links {
  /** Every kind of links that an experiment file can name. */
  Catalogue<Links> ALL =
      new Catalogue<>(Links.class, "kind of links", List.of(EvenLinks.class, VariedLinks.class));

  /**
   * How it is from one to another in some round.
   *
   * @param round the how-manieth stretch of {@code network.roundSeconds}
   */
  Link between(int from, int to, long round, RandomStreams streams);

  /** Whether links differ from round to round. */
  boolean change();
}
