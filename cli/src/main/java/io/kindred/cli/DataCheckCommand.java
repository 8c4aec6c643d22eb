package io.kindred.cli;

import io.kindred.cli.data.DataCheck;
import io.kindred.cli.data.DataCheckText;
import io.kindred.cli.data.DataGuess;
import io.kindred.core.config.SettingException;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what a file or folder of own data holds and how it would be read. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Says what a file or folder of your own holds, how Kindred would read it, what it leaves out",
      "and why, which samples repeat, and what may mislead; ends with an experiment file.",
      "",
      "What it chooses by itself is a guess and named as such; --set chooses otherwise.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred data check my-birds --out birds.yaml",
      "  kindred data check census.data --set dataset.label=column15"
    })
final class DataCheckCommand implements Callable<Integer> {
  private static final String SKIP_DAMAGED = "skipDamaged";

  @Parameters(paramLabel = "PATH", description = "a table, a safetensors file, or a folder")
  private Path path;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "a setting of the data set in place of the guess; may be repeated")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "FILE.yaml",
      description = "write the experiment to a file that does not exist yet")
  private @Nullable Path out;

  @Option(names = "--seed", paramLabel = "N", description = "seed that the test set is drawn with")
  private long seed = 1;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @Mixin private DataOptions data;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  DataCheckCommand() {}

  @Override
  public Integer call() throws IOException {
    Path found = found();
    if (out != null && Files.exists(out)) {
      throw new OperatorException(
          OperatorException.WRONG_USE, out + " already exists; name another file");
    }
    boolean single = Files.isRegularFile(found);
    Path parent = found.getParent();
    String folder = single ? parent == null ? "." : parent.toString() : found.toString();
    Optional<String> only =
        single ? Optional.of(String.valueOf(found.getFileName())) : Optional.empty();
    DataCheck check = withoutDamage(chosen(DataGuess.of(data.files(), folder, only)));
    if (out != null) {
      AtomicFile.writeText(out, check.experiment());
    }
    System.out.print(json ? Json.document(check) : DataCheckText.of(check));
    if (!json) {
      String file = out == null ? "FILE.yaml" : out.toString();
      if (out != null) {
        System.out.println("written: " + out);
      }
      System.out.println(
          "compare methods: ./kindred compare "
              + file
              + " --methods \"local, {name: fedavg, fineTune: 1}, dfedavgm\"");
    }
    return ExitCode.DONE;
  }

  /** The path itself, or a folder of that name in the data folder. */
  private Path found() {
    return Optional.of(path)
        .filter(Files::exists)
        .or(() -> data.folder().map(root -> root.resolve(path)).filter(Files::exists))
        .orElseThrow(
            () ->
                new OperatorException(
                    OperatorException.DATA_MISSING,
                    "there is no " + path + "; name a table, a safetensors file or a folder"));
  }

  /** What the user sets takes the place of what was guessed. */
  private DataGuess chosen(DataGuess guess) {
    SequencedMap<String, String> settings = new LinkedHashMap<>(guess.settings());
    List<String> reasons = new ArrayList<>(guess.reasons());
    for (String assignment : assignments) {
      String[] parts = assignment.split("=", 2);
      if (parts.length < 2 || !parts[0].startsWith("dataset.")) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            "'" + assignment + "' sets nothing of the data set; write dataset.KEY=VALUE");
      }
      String key = parts[0].substring("dataset.".length());
      settings.put(key, parts[1]);
      reasons.removeIf(each -> each.startsWith(key + ":"));
    }
    return new DataGuess(guess.kind(), settings, reasons);
  }

  /** A check names all damaged files of a folder, where a run ends with the first. */
  private DataCheck withoutDamage(DataGuess guess) {
    boolean skips =
        guess.kind() == DataGuess.Kind.PICTURES || guess.kind() == DataGuess.Kind.SOUNDS;
    try {
      return check(guess);
    } catch (DamagedDataException damaged) {
      if (!skips || guess.settings().containsKey(SKIP_DAMAGED)) {
        throw damaged;
      }
      SequencedMap<String, String> settings = new LinkedHashMap<>(guess.settings());
      settings.put(SKIP_DAMAGED, "true");
      List<String> reasons = new ArrayList<>(guess.reasons());
      reasons.add(SKIP_DAMAGED + ": true, because files are damaged; without it a run ends there");
      return check(new DataGuess(guess.kind(), settings, reasons));
    }
  }

  private DataCheck check(DataGuess guess) {
    StringBuilder text = new StringBuilder("method: local\ndataset:\n");
    for (Map.Entry<String, String> each : guess.settings().entrySet()) {
      text.append("  ").append(each.getKey()).append(": ").append(each.getValue()).append('\n');
    }
    ExperimentFile file =
        ExperimentFile.of(
            ConfigFile.parse("data check", text.toString()), Optional.empty(), List.of());
    try {
      return DataCheck.of(path.toString(), guess, file.experiment().dataset(), data.files(), seed);
    } catch (SettingException invalid) {
      throw file.locate(invalid);
    }
  }
}
