package io.kindred.learning.data;

import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * FEMNIST as LEAF (Caldas et al., 2018) writes it: JSON files in the folders {@code train} and
 * {@code test}, each with users, and for each user 784 values from 0 (ink) to 1 (paper) a picture
 * and a class from 0 to 61. Values are kept as bytes, 255 times what is written, and turned so that
 * ink is light as in MNIST. Every sample knows its writer.
 */
@Named(
    value = "femnist",
    summary =
        "handwritten digits and letters, 28x28 grey, 62 classes, writers as users (LEAF json)")
public record Femnist(
    @Setting(doc = "writers to take, by name; 0 takes all", fallback = "0", min = 0) int writers)
    implements DataSource {
  private static final String SET = "femnist";
  private static final int PIXELS = 28 * 28;
  private static final int CLASSES = 62;

  /** What one writer wrote in one part: pictures one after the other, and as many labels. */
  private static final class Written {
    private final byte[] pixels;
    private final List<Integer> labels;

    private Written(byte[] pixels, List<Integer> labels) {
      this.pixels = pixels;
      this.labels = labels;
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    SortedMap<String, Written> train = read(files, "train");
    SortedMap<String, Written> test = read(files, "test");
    TreeSet<String> all = new TreeSet<>(train.keySet());
    all.addAll(test.keySet());
    if (writers > all.size()) {
      throw new Complaint(
          "dataset.writers",
          writers + " writers are asked for, but the files hold " + all.size(),
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

  private static SortedMap<String, Written> read(DataFiles files, String part) {
    List<String> names =
        files.list(
            SET,
            part + "/*.json",
            name -> name.endsWith(".json") && ("/" + name).contains("/" + part + "/"));
    SortedMap<String, Written> byUser = new TreeMap<>();
    files.readAll(
        SET,
        names,
        (index, bytes) -> {
          String file = SET + "/" + names.get(index);
          JsonBytes json = new JsonBytes(file, bytes);
          json.object(
              key -> {
                if (key.equals("user_data")) {
                  json.object(user -> add(byUser, user, written(json), json));
                } else {
                  json.skip();
                }
              });
          json.finish();
        });
    if (byUser.isEmpty()) {
      throw new DamagedDataException(SET + "/" + names.getFirst(), "byte 0", "it has no user_data");
    }
    return byUser;
  }

  private static void add(
      SortedMap<String, Written> byUser, String user, Written written, JsonBytes json) {
    if (byUser.put(user, written) != null) {
      throw json.damaged("the user " + user + " comes twice");
    }
  }

  private static Written written(JsonBytes json) {
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
    return new Written(pixels, labels);
  }

  private static byte[] picture(JsonBytes json) {
    byte[] pixels = new byte[PIXELS];
    int[] count = {0};
    json.array(
        () -> {
          double paper = json.number();
          if (!(paper >= 0 && paper <= 1) || count[0] == PIXELS) {
            throw json.damaged(
                count[0] == PIXELS
                    ? "a picture of more than 784 values"
                    : "a value of " + paper + " where 0 to 1 is expected");
          }
          pixels[count[0]++] = (byte) (int) (255 * (1 - paper) + 0.5);
        });
    if (count[0] != PIXELS) {
      throw json.damaged("a picture of " + count[0] + " values, not 784");
    }
    return pixels;
  }

  private static int label(JsonBytes json) {
    double label = json.number();
    if (!(label >= 0 && label < CLASSES) || label != Math.rint(label)) {
      throw json.damaged("label " + label + " of " + CLASSES + " classes");
    }
    return (int) label;
  }

  private static byte[] pixels(SortedMap<String, Written> byUser, List<String> names) {
    long size = 0;
    for (String name : names) {
      size += written(byUser, name).pixels.length;
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new Complaint(
          "dataset.writers", size + " bytes of pictures are too many", "take fewer writers");
    }
    byte[] pixels = new byte[(int) size];
    int at = 0;
    for (String name : names) {
      byte[] own = written(byUser, name).pixels;
      System.arraycopy(own, 0, pixels, at, own.length);
      at += own.length;
    }
    return pixels;
  }

  private static Samples samples(
      SortedMap<String, Written> byUser, List<String> names, Features features) {
    int[] labels = new int[features.count()];
    int[] users = new int[features.count()];
    int at = 0;
    for (int user = 0; user < names.size(); user++) {
      for (int label : written(byUser, names.get(user)).labels) {
        labels[at] = label;
        users[at++] = user;
      }
    }
    return new Samples(
        features, Ints.wrap(labels), Optional.of(new Users(Ints.wrap(users), names)));
  }

  /** LEAF can split by user, and then a writer is in one part only. */
  private static Written written(SortedMap<String, Written> byUser, String name) {
    return byUser.getOrDefault(name, new Written(new byte[0], List.of()));
  }
}
