package io.kindred.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;

/** The compiled main classes on the class path of cli, without tests; imported once. */
final class MainClasses {
  static final String ROOT = "io.kindred";

  private static final String GENERATED_BUILDER =
      "io.soabase.recordbuilder.core.RecordBuilderGenerated";

  static final JavaClasses ALL =
      new ClassFileImporter().withImportOption(MainClasses::isMain).importPackages(ROOT);

  private MainClasses() {}

  /** A module's test classes are in its folder of test classes or in Maven's test jar. */
  private static boolean isMain(Location location) {
    return !location.contains("/test-classes/") && !location.contains("-tests.jar");
  }

  /** Planted classes, which the gates do not import otherwise. */
  static JavaClasses planted(String name) {
    return new ClassFileImporter().importPackages(plantedRoot(name));
  }

  static String plantedRoot(String name) {
    return ROOT + ".architecture.fixtures." + name;
  }

  /** The first part of a package below the root: {@code io.kindred.core.compute} is in core. */
  static String moduleOf(JavaClass type, String root) {
    String inside = type.getPackageName().substring(root.length());
    int end = inside.indexOf('.', 1);
    return inside.isEmpty() ? "" : inside.substring(1, end < 0 ? inside.length() : end);
  }

  static boolean isInside(JavaClass type, String root) {
    return type.getPackageName().equals(root) || type.getPackageName().startsWith(root + ".");
  }

  /** Whether the compiler generated the class for a record that is {@code Buildable}. */
  static boolean isGeneratedBuilder(JavaClass type) {
    return type.isAnnotatedWith(GENERATED_BUILDER);
  }

  /** The top-level class of this class's file, which exemptions and messages name. */
  static String outermostName(JavaClass type) {
    int end = type.getName().indexOf('$');
    return end < 0 ? type.getName() : type.getName().substring(0, end);
  }
}
