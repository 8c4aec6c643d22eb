package io.kindred.learning.data.text;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Users;
import io.kindred.learning.data.format.TextLines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Plays of Shakespeare by role: a text of speeches, each a line {@code Role:} and lines of speech,
 * with an empty line after it. The task is to predict the next character after a window of
 * characters. All speeches of a role form one text, whose last part is for the test, so that no
 * window is in both. The file does not distinguish the plays: First Citizen is one role in all of
 * them.
 */
@Named(
    value = "shakespeare",
    summary = "predict the next character of plays: one-hot windows, roles as users")
public record Shakespeare(
    @Setting(
            doc = "characters of a sample, from which the next one is predicted",
            fallback = "20",
            min = 1)
        int window,
    @Setting(doc = "characters between the starts of two windows", fallback = "1", min = 1)
        int step,
    @Setting(
            doc = "number of roles, those with the longest texts first; 0 takes all",
            fallback = "0",
            min = 0)
        int roles,
    @Setting(
            doc = "share of each role's text that becomes the common test set",
            fallback = "0.2",
            above = 0,
            max = 0.9)
        double testShare)
    implements DataSource {
  private static final String SET = "shakespeare";
  private static final String FILE = "tinyshakespeare-input.txt";

  /** Windows and the text that they lie in, role by role. */
  private static final class Windows {
    private final StringBuilder text = new StringBuilder();
    private final List<Integer> starts = new ArrayList<>();
    private final List<Integer> roles = new ArrayList<>();
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    List<Map.Entry<String, StringBuilder>> speeches = selectRoles(speechByRole(files));
    List<String> names = speeches.stream().map(Map.Entry::getKey).toList();
    Windows train = new Windows();
    Windows test = new Windows();
    for (int role = 0; role < names.size(); role++) {
      String text = speeches.get(role).getValue().toString();
      int cut = text.length() - (int) (testShare * text.length());
      addWindows(text.substring(0, cut), role, train);
      addWindows(text.substring(cut), role, test);
    }
    if (train.starts.isEmpty() || test.starts.isEmpty()) {
      throw new SettingException(
          "dataset.window",
          "no role has a text of more than " + window + " characters",
          "choose a smaller window");
    }
    // One code more than training has, for characters that occur only in the test text.
    TreeSet<Character> known = new TreeSet<>();
    train.text.chars().forEach(c -> known.add((char) c));
    List<Character> alphabet = List.copyOf(known);
    if (alphabet.size() > 254) {
      throw new DamagedDataException(
          SET + "/" + FILE,
          "its end",
          alphabet.size() + " different characters, but at most 254 are supported");
    }
    int size = alphabet.size() + 1;
    return new Dataset(
        SET,
        List.of(size, 1, window),
        size,
        samples(train, alphabet, names),
        samples(test, alphabet, names));
  }

  private static SortedMap<String, StringBuilder> speechByRole(DataFiles files) {
    TextLines lines = TextLines.of(SET + "/" + FILE, files.read(SET, FILE));
    SortedMap<String, StringBuilder> speeches = new TreeMap<>();
    StringBuilder current = new StringBuilder();
    boolean heading = true;
    for (int i = 0; i < lines.count(); i++) {
      String line = lines.line(i);
      if (line.isEmpty()) {
        heading = true;
      } else if (heading) {
        if (!line.endsWith(":") || line.length() == 1) {
          throw lines.damaged(i, "a role and a colon are expected after an empty line");
        }
        current =
            speeches.computeIfAbsent(
                line.substring(0, line.length() - 1), role -> new StringBuilder());
        heading = false;
      } else {
        current.append(line).append('\n');
      }
    }
    return speeches;
  }

  /** The selected roles, ordered by name. */
  private List<Map.Entry<String, StringBuilder>> selectRoles(
      SortedMap<String, StringBuilder> speeches) {
    if (roles > speeches.size()) {
      throw new SettingException(
          "dataset.roles",
          roles + " roles are requested, but the text has " + speeches.size(),
          "choose at most " + speeches.size() + ", or 0 for all");
    }
    return speeches.entrySet().stream()
        .sorted(
            Comparator.comparingInt(
                    (Map.Entry<String, StringBuilder> entry) -> -entry.getValue().length())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(roles == 0 ? speeches.size() : roles)
        .sorted(Map.Entry.comparingByKey())
        .toList();
  }

  private void addWindows(String text, int role, Windows into) {
    for (int start = 0; start + window < text.length(); start += step) {
      into.starts.add(into.text.length() + start);
      into.roles.add(role);
    }
    into.text.append(text);
  }

  private Samples samples(Windows windows, List<Character> alphabet, List<String> names) {
    byte[] codes = new byte[windows.text.length()];
    int[] ofCharacter = new int[Character.MAX_VALUE + 1];
    Arrays.fill(ofCharacter, alphabet.size());
    for (int i = 0; i < alphabet.size(); i++) {
      ofCharacter[alphabet.get(i)] = i;
    }
    for (int i = 0; i < codes.length; i++) {
      codes[i] = (byte) ofCharacter[windows.text.charAt(i)];
    }
    int[] starts = windows.starts.stream().mapToInt(Integer::intValue).toArray();
    int[] labels = new int[starts.length];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = codes[starts[i] + window] & 0xff;
    }
    int[] users = windows.roles.stream().mapToInt(Integer::intValue).toArray();
    return new Samples(
        new WindowFeatures(codes, starts, window, alphabet.size() + 1),
        Ints.wrap(labels),
        Optional.of(new Users(Ints.wrap(users), names)));
  }
}
