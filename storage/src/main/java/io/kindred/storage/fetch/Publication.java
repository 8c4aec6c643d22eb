package io.kindred.storage.fetch;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Where a data set is published and under which licence.
 *
 * @param dataset the name of the data set and of its folder
 * @param homepage the page that describes it
 * @param licence its licence in a word, as its page has it
 * @param files files to fetch; none where the data set must be generated or requested
 * @param manualInstructions what to do where there is nothing to fetch
 */
public record Publication(
    String dataset,
    URI homepage,
    String licence,
    List<RemoteFile> files,
    String manualInstructions) {
  public Publication {
    files = List.copyOf(files);
  }

  /** One file: its address, its name in the data set's folder, and its digest where published. */
  public record RemoteFile(URI address, String name, Optional<Checksum> checksum) {
    /** The same file on a mirror, which must hold it under its own name. */
    public RemoteFile mirroredAt(URI folder) {
      String base = folder.toString().endsWith("/") ? folder.toString() : folder + "/";
      return new RemoteFile(URI.create(base + name.replace(" ", "%20")), name, checksum);
    }
  }
}
