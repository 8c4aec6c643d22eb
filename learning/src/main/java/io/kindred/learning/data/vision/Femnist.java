package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Users;
import io.kindred.learning.data.format.JsonReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * FEMNIST as LEAF (Caldas et al., 2018) writes it: JSON files in the folders {@code train} and
 * {@code test}, each with users, and for each user 784 values from 0 (ink) to 1 (paper) a picture
 * and a class from 0 to 61. Values are kept as bytes and inverted, 255 times one minus the value,
 * so that ink is light as in MNIST. The users are the writers.
 */
@Named(
    value = "femnist",
    summary =
        "handwritten digits and letters, 28x28 grey, 62 classes, writers as users (LEAF json)")
public record Femnist(
    @Setting(
            doc = "number of writers, in the order of their names; 0 takes all",
            fallback = "0",
            min = 0)
        int writers)
    implements DataSource {
  private static final String SET = "femnist";
  private static final int PIXELS = 28 * 28;
  private static final int CLASSES = 62;

  /** The samples of one writer in one part: pictures one after the other, and as many labels. */
  private static final class WriterSamples {
    private final byte[] pixels;
    private final List<Integer> labels;

    private WriterSamples(byte[] pixels, List<Integer> labels) {
      this.pixels = pixels;
      this.labels = labels;
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    SortedMap<String, WriterSamples> train = read(files, "train");
    SortedMap<String, WriterSamples> test = read(files, "test");
    TreeSet<String> all = new TreeSet<>(train.keySet());
    all.addAll(test.keySet());
    if (writers > all.size()) {
      throw new SettingException(
          "dataset.writers",
          writers + " writers are requested, but the files hold " + all.size(),
          "choose at most " + all.size() + ", or 0 for all");
    }
    List<String> names = all.stream().limit(writers == 0 ? all.size() : writers).toList();
    byte[] trainPixels = pixels(train, names);
    ByteScaling scaling = ByteScaling.fit(trainPixels);
    return new Dataset(
        SET,
        List.of(1, 28, 28),
        CLASSES,
        samples(train, names, scaling.features(trainPixels, PIXELS)),
        samples(test, names, scaling.features(pixels(test, names), PIXELS)));
  }

  private static SortedMap<String, WriterSamples> read(DataFiles files, String part) {
    List<String> names =
        files.list(
            SET,
            part + "/*.json",
            name -> name.endsWith(".json") && ("/" + name).contains("/" + part + "/"));
    SortedMap<String, WriterSamples> byUser = new TreeMap<>();
    files.readAll(
        SET,
        names,
        (index, bytes) -> {
          String file = SET + "/" + names.get(index);
          JsonReader json = new JsonReader(file, bytes);
          json.object(
              key -> {
                if (key.equals("user_data")) {
                  json.object(user -> add(byUser, user, writerSamples(json), json));
                } else {
                  json.skip();
                }
              });
          json.finish();
        });
    if (byUser.isEmpty()) {
      throw new DamagedDataException(
          SET + "/" + names.getFirst(), "byte 0", "the file has no user_data");
    }
    return byUser;
  }

  private static void add(
      SortedMap<String, WriterSamples> byUser,
      String user,
      WriterSamples writerSamples,
      JsonReader json) {
    if (byUser.put(user, writerSamples) != null) {
      throw json.damaged("the user " + user + " occurs twice");
    }
  }

  private static WriterSamples writerSamples(JsonReader json) {
    List<byte[]> pictures = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    json.object(
        key -> {
          switch (key) {
            case "x" -> json.array(() -> pictures.add(picture(json)));
            case "y" -> json.array(() -> labels.add(label(json)));
            default -> json.skip();
          }
        });
    if (pictures.size() != labels.size()) {
      throw json.damaged(labels.size() + " labels for " + pictures.size() + " pictures");
    }
    byte[] pixels = new byte[pictures.size() * PIXELS];
    for (int i = 0; i < pictures.size(); i++) {
      System.arraycopy(pictures.get(i), 0, pixels, i * PIXELS, PIXELS);
    }
    return new WriterSamples(pixels, labels);
  }

  private static byte[] picture(JsonReader json) {
    byte[] pixels = new byte[PIXELS];
    int[] count = {0};
    json.array(
        () -> {
          double paper = json.number();
          if (!(paper >= 0 && paper <= 1) || count[0] == PIXELS) {
            throw json.damaged(
                count[0] == PIXELS
                    ? "a picture of more than 784 values"
                    : "a value of " + paper + ", but 0 to 1 is expected");
          }
          pixels[count[0]++] = (byte) (int) (255 * (1 - paper) + 0.5);
        });
    if (count[0] != PIXELS) {
      throw json.damaged("a picture of " + count[0] + " values, not 784");
    }
    return pixels;
  }

  private static int label(JsonReader json) {
    double label = json.number();
    if (!(label >= 0 && label < CLASSES) || label != Math.rint(label)) {
      throw json.damaged("label " + label + " of " + CLASSES + " classes");
    }
    return (int) label;
  }

  private static byte[] pixels(SortedMap<String, WriterSamples> byUser, List<String> names) {
    long size = 0;
    for (String name : names) {
      size += writerSamples(byUser, name).pixels.length;
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new SettingException(
          "dataset.writers",
          size + " bytes of pictures do not fit into one array",
          "choose fewer writers");
    }
    byte[] pixels = new byte[(int) size];
    int at = 0;
    for (String name : names) {
      byte[] own = writerSamples(byUser, name).pixels;
      System.arraycopy(own, 0, pixels, at, own.length);
      at += own.length;
    }
    return pixels;
  }

  private static Samples samples(
      SortedMap<String, WriterSamples> byUser, List<String> names, Features features) {
    int[] labels = new int[features.count()];
    int[] users = new int[features.count()];
    int at = 0;
    for (int user = 0; user < names.size(); user++) {
      for (int label : writerSamples(byUser, names.get(user)).labels) {
        labels[at] = label;
        users[at++] = user;
      }
    }
    return new Samples(
        features, Ints.wrap(labels), Optional.of(new Users(Ints.wrap(users), names)));
  }

  /** LEAF can split by user, and then a writer has samples in one part only. */
  private static WriterSamples writerSamples(SortedMap<String, WriterSamples> byUser, String name) {
    return byUser.getOrDefault(name, new WriterSamples(new byte[0], List.of()));
  }
}
