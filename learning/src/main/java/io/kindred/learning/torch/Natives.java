package io.kindred.learning.torch;

import io.kindred.core.config.SettingException;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Brings the native library in, once per process and in an order that no other PyTorch on the
 * machine can disturb.
 *
 * <p>Left to itself, the loader unpacks and loads file by file, and {@code libtorch} comes before
 * the {@code libtorch_cpu} that it links to. On a first start the linker then finds no neighbour
 * and takes a system-wide library of another version, which crashes the process. So everything is
 * unpacked before anything is loaded, and what others link to is loaded first: a library search
 * path that names another PyTorch then has no say either.
 */
final class Natives {
  /** Also the version in the parent pom; named where a person has to add an artifact. */
  private static final String VERSION = "2.10.0-1.5.13";

  private static final String USE_JVM = "or choose 'engine: jvm'";

  private static boolean loaded;
  // Why loading failed the first time; a second attempt would only say that a class is missing.
  private static @Nullable String loadFailure;

  private Natives() {}

  /**
   * Loads the library unless it is there.
   *
   * @throws SettingException where it cannot be had, each time with the same words
   */
  static synchronized void ensureLoaded() {
    if (!loaded) {
      load(Loader.getPlatform());
      loaded = true;
    }
    useSingleThread();
  }

  /**
   * One thread for the arithmetic of each worker. The library keeps this number per thread, so
   * every entry asks; setting it is the costly half.
   */
  static void useSingleThread() {
    if (torch.get_num_threads() != 1) {
      torch.set_num_threads(1);
    }
  }

  /** Whether this platform has natives on the class path; loads nothing. */
  static boolean arePresent() {
    return missingLibrary(Loader.getPlatform()).isEmpty();
  }

  /** What is missing for a platform, with the remedy. */
  static Optional<SettingException> missingLibrary(String platform) {
    for (String library : List.of("pytorch", "openblas")) {
      if (folders(library, platform).isEmpty()) {
        return Optional.of(
            new SettingException(
                "engine",
                "the torch engine has no native "
                    + library
                    + " library for this platform ("
                    + platform
                    + ")",
                "put its artifact org.bytedeco:"
                    + library
                    + " with classifier "
                    + platform
                    + " on the class path if there is one, "
                    + USE_JVM));
      }
    }
    return Optional.empty();
  }

  private static void load(String platform) {
    Optional<SettingException> missing = missingLibrary(platform);
    if (missing.isPresent()) {
      throw missing.get();
    }
    if (loadFailure == null) {
      loadFailure = tryLoad(platform);
    }
    if (loadFailure != null) {
      throw new SettingException(
          "engine",
          "the native library of the torch engine cannot be loaded: " + loadFailure,
          "see that the cache folder (system property org.bytedeco.javacpp.cachedir) has 500 MB"
              + " of free space and may be written and executed, "
              + USE_JVM);
    }
  }

  /** Answers what stood in the way, if anything did. */
  private static @Nullable String tryLoad(String platform) {
    try {
      unpack("openblas", platform);
      List<File> unpacked = unpack("pytorch", platform);
      Loader.load(openblas.class);
      for (String name : List.of("c10", "torch_cpu")) {
        loadFirst(unpacked, System.mapLibraryName(name));
      }
      Loader.load(torch.class);
      openblas_nolapack.blas_set_num_threads(1);
      return null;
    } catch (IOException | LinkageError e) {
      return firstLine(e);
    }
  }

  /** Natives with CUDA stand in a folder of their own, which the loader prefers. */
  private static List<String> folders(String library, String platform) {
    return List.of(platform + "-gpu", platform).stream()
        .map(each -> "/org/bytedeco/" + library + "/" + each + "/")
        .filter(folder -> Natives.class.getResource(folder) != null)
        .toList();
  }

  private static List<File> unpack(String library, String platform) throws IOException {
    List<File> unpacked = new ArrayList<>();
    for (String folder : folders(library, platform)) {
      unpacked.addAll(List.of(Loader.cacheResources(Natives.class, folder)));
    }
    return unpacked;
  }

  @SuppressWarnings("restricted") // Loading natives is what this class is for.
  private static void loadFirst(List<File> folders, String name) {
    for (File folder : folders) {
      File file = new File(folder, name);
      if (file.isFile()) {
        System.load(file.getAbsolutePath());
        return;
      }
    }
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName());
  }

  /**
   * @throws SettingException where there is no GPU that the library can use
   */
  static void requireCuda() {
    ensureLoaded();
    if (!torch.cuda_is_available()) {
      throw new SettingException(
          "engine.device",
          torch.hasCUDA() ? "no CUDA device answers" : "the native library is built without CUDA",
          "put org.bytedeco:pytorch:"
              + VERSION
              + " with classifier "
              + Loader.getPlatform()
              + "-gpu and the CUDA libraries on the class path (docs/reference/engines.md), or"
              + " choose 'device: cpu'");
    }
  }

  /** Version and the instruction set that the kernels were chosen for: what the bits depend on. */
  static String description() {
    ensureLoaded();
    return "torch " + VERSION + ", " + torch.get_cpu_capability().getString();
  }
}
