package io.kindred.files.fetch;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Where a data set is published and under which terms.
 *
 * @param set the name of the data set and of its folder
 * @param home the page that describes it
 * @param terms its licence in a word, as its page has it
 * @param items files to fetch; none where it must be made or asked for
 * @param byHand what to do where there is nothing to fetch
 */
public record Publication(String set, URI home, String terms, List<Item> items, String byHand) {
  public Publication {
    items = List.copyOf(items);
  }

  /**
   * One file: where it is, what it is called in the set's folder, and its digest where published.
   */
  public record Item(URI address, String name, Optional<Checksum> checksum) {
    /** The same file at another place, which must hold it under its own name. */
    public Item from(URI folder) {
      String base = folder.toString().endsWith("/") ? folder.toString() : folder + "/";
      return new Item(URI.create(base + name.replace(" ", "%20")), name, checksum);
    }
  }
}
