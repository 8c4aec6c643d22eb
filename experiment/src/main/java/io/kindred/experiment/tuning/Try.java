package io.kindred.experiment.tuning;

import io.kindred.storage.config.ConfigNode.Mapping;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One try: a method with one choice of its settings.
 *
 * @param method the method as the user named it
 * @param number counts from one; the first try has the settings of the file
 * @param settings the settings that the tuning varies
 * @param section the keys of this try, to lay over the experiment
 */
public record Try(String method, int number, List<TriedSetting> settings, Mapping section) {
  /** A setting by its dotted path, and its value as in an experiment file. */
  public record TriedSetting(String path, String value) {
    @Override
    public String toString() {
      return path + "=" + value;
    }
  }

  public Try {
    settings = List.copyOf(settings);
  }

  /** The settings as {@code --set} takes them. */
  public String assignments() {
    return settings.stream().map(TriedSetting::toString).collect(Collectors.joining(" "));
  }

  /** The settings by the last names of their paths, for a table. */
  public String shortText() {
    return settings.stream()
        .map(each -> each.path().replaceFirst("^(method|training)\\.", "") + "=" + each.value())
        .collect(Collectors.joining(" "));
  }
}
