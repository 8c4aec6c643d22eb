package io.kindred.studies.fuzz;

import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A bug that the fuzzer found, with everything needed to reproduce it.
 *
 * @param what name of the violated invariant, or the kind of failure
 * @param problem description of the failure
 * @param event number of the event at which the failure occurred
 * @param configuration the experiment that reproduces the failure, as YAML
 * @param transcript the last lines of the transcript before the failure
 */
public record FuzzFailure(
    String what, String problem, long event, String configuration, List<String> transcript) {
  public FuzzFailure {
    transcript = List.copyOf(transcript);
  }

  /** One line for users. */
  public String line() {
    return what + " after " + event + " events, " + problem;
  }

  /** Parses the JSON form. */
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
          name + " is not a failure that 'kindred fuzz' wrote; name such a file or a run folder");
    }
  }
}
