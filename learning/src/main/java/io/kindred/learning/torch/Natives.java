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
 * Loads the native library, once per process and in an order that no other PyTorch on the machine
 * can disturb.
 *
 * <p>By default the loader unpacks and loads file by file, and {@code libtorch} comes before the
 * {@code libtorch_cpu} that it links to. On a first start the linker then does not find that
 * library beside it and takes a system-wide library of another version, which crashes the process.
 * So all files are unpacked before any is loaded, and dependencies are loaded first: a library
 * search path that names another PyTorch then has no effect either.
 */
final class Natives {
  /** Must equal the version in the parent pom; part of messages about a missing artifact. */
  private static final String VERSION = "2.10.0-1.5.13";

  private static final String USE_JVM = "or choose 'engine: jvm'";

  private static boolean loaded;
  // Why loading failed the first time; a second attempt would only report that a class is missing.
  private static @Nullable String loadFailure;

  private Natives() {}

  /**
   * Loads the library unless it is loaded.
   *
   * @throws SettingException when the library is missing or cannot be loaded, each time with the
   *     same message
   */
  static synchronized void ensureLoaded() {
    if (!loaded) {
      load(Loader.getPlatform());
      loaded = true;
    }
    useSingleThread();
  }

  /**
   * Sets one native thread for each worker. The library keeps this number per thread, so every
   * entry checks it; setting it is the costly half.
   */
  static void useSingleThread() {
    if (torch.get_num_threads() != 1) {
      torch.set_num_threads(1);
    }
  }

  /** Whether this platform has natives on the class path; loads nothing. Tests name it by text. */
  static boolean arePresent() {
    return missingLibrary(Loader.getPlatform()).isEmpty();
  }

  /** The library that is missing for a platform, with the remedy. */
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
          "make sure that the cache folder (system property org.bytedeco.javacpp.cachedir)"
              + " has 500 MB of free space and allows writing and executing, "
              + USE_JVM);
    }
  }

  /** Returns why loading failed, or null. */
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

  /** Natives with CUDA have a folder of their own, which the loader prefers. */
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

  @SuppressWarnings("restricted") // This class exists to load natives.
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
   * @throws SettingException when there is no GPU that the library can use
   */
  static void requireCuda() {
    ensureLoaded();
    if (!torch.cuda_is_available()) {
      throw new SettingException(
          "engine.device",
          torch.hasCUDA()
              ? "PyTorch finds no CUDA device"
              : "the native library is built without CUDA",
          "put org.bytedeco:pytorch:"
              + VERSION
              + " with classifier "
              + Loader.getPlatform()
              + "-gpu and the CUDA libraries on the class path (docs/reference/engines.md), or"
              + " choose 'device: cpu'");
    }
  }

  /** The version and the instruction set of the kernels, which determine the bits. */
  static String description() {
    ensureLoaded();
    return "torch " + VERSION + ", " + torch.get_cpu_capability().getString();
  }
}
