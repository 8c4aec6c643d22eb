package io.kindred.studies.fuzz;

import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A bug that was found, with all it takes to see it again.
 *
 * @param what the invariant that was violated, or what else went wrong
 * @param problem in words
 * @param event the how-manieth event it was
 * @param configuration the experiment that shows it, as YAML
 * @param transcript the last things that happened before
 */
public record FuzzFailure(
    String what, String problem, long event, String configuration, List<String> transcript) {
  public FuzzFailure {
    transcript = List.copyOf(transcript);
  }

  /** One line for people. */
  public String line() {
    return what + " after " + event + " events, " + problem;
  }

  /** Reads what was written as JSON. */
  public static FuzzFailure parse(String name, String text) {
    try {
      JsonNode tree = Json.tree(text);
      return new FuzzFailure(
          tree.get("what").asString(),
          tree.get("problem").asString(),
          tree.get("event").asLong(),
          tree.get("configuration").asString(),
          List.of());
    } catch (JacksonException | NullPointerException e) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          name + " is no failure that 'kindred fuzz' wrote; name such a file or a run folder");
    }
  }
}
