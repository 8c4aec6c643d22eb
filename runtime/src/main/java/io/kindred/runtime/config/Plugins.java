package io.kindred.runtime.config;

import io.kindred.core.config.Catalogue;
import io.kindred.learning.model.Model;
import io.kindred.learning.model.Models;
import io.kindred.storage.OperatorException;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * Models of users, which {@link ServiceLoader} finds on the class path or in the jars and folders
 * that the environment variable {@value #VARIABLE} lists. They are chosen by name and read from
 * experiment files like the built-in ones.
 */
public final class Plugins {
  static final String VARIABLE = "KINDRED_PLUGINS";

  private static final Supplier<Catalogue<Model>> MODELS = loadOnce();

  private Plugins() {}

  /** Every model that an experiment file can name. */
  public static Catalogue<Model> models() {
    return MODELS.get();
  }

  /**
   * A mistake is kept and thrown to every caller, because a failed static initializer would hide
   * it.
   */
  private static Supplier<Catalogue<Model>> loadOnce() {
    try {
      Catalogue<Model> found = modelsOf(Optional.ofNullable(System.getenv(VARIABLE)).orElse(""));
      return () -> found;
    } catch (OperatorException mistake) {
      return () -> {
        throw mistake;
      };
    }
  }

  /** The built-in models and those that the given jars and folders bring. */
  static Catalogue<Model> modelsOf(String places) {
    List<Class<? extends Model>> choices = new ArrayList<>(Models.ALL.choices());
    try {
      ServiceLoader.load(Model.class, loader(places)).stream()
          .map(ServiceLoader.Provider::type)
          .forEach(choices::add);
      return new Catalogue<>(Model.class, Models.ALL.noun(), choices);
    } catch (ServiceConfigurationError | IllegalArgumentException broken) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "a model plugin cannot be used: "
              + broken.getMessage()
              + "; see docs/how-to/add-a-model.md");
    }
  }

  /**
   * The class loader stays open as long as the process runs, because models may load classes at any
   * time.
   */
  private static ClassLoader loader(String places) {
    List<URL> urls = new ArrayList<>();
    for (String place : places.split(File.pathSeparator, -1)) {
      if (!place.isBlank()) {
        urls.add(url(Path.of(place)));
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), Plugins.class.getClassLoader());
  }

  private static URL url(Path place) {
    if (!Files.isReadable(place)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "%s names %s, which does not exist; name jars or folders of classes, separated by '%s'"
              .formatted(VARIABLE, place, File.pathSeparator));
    }
    try {
      return place.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("every path of a file system has an address", e);
    }
  }
}
