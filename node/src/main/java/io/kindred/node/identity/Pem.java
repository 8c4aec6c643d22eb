package io.kindred.node.identity;

import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Binary documents in PEM, the text form that certificate tools read. */
final class Pem {
  private static final Pattern FORM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*(.*?)-----END \\1-----\\s*", Pattern.DOTALL);
  private static final int LINE = 64;
  private static final OpenOption[] NEW = {StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE};

  private Pem() {}

  static String text(String label, byte[] content) {
    Base64.Encoder encoder = Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII));
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, encoder.encodeToString(content), label);
  }

  /** Writes a new file and refuses to replace one, so that no key is overwritten by accident. */
  static void writeNew(Path file, String label, byte[] content, boolean secret) {
    try {
      if (secret && file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text(label, content));
      } else {
        Files.writeString(file, text(label, content), NEW);
      }
    } catch (FileAlreadyExistsException there) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          file + " exists already; name another folder, or move the file away first");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** Replaces a document atomically. */
  static void replace(Path file, String label, byte[] content) {
    try {
      AtomicFile.writeText(file, text(label, content));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  static byte[] read(Path file, String label) {
    return readAll(file, label).getFirst();
  }

  /** All documents with this label, at least one; any other content of the file is ignored. */
  static List<byte[]> readAll(Path file, String label) {
    List<byte[]> found = new ArrayList<>();
    try {
      Matcher matcher = FORM.matcher(Files.readString(file));
      while (matcher.find()) {
        if (matcher.group(1).equals(label)) {
          found.add(Base64.getMimeDecoder().decode(matcher.group(2)));
        }
      }
    } catch (NoSuchFileException missing) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "there is no " + file + "; create it with 'kindred node init' or 'kindred node cert'");
    } catch (IOException | IllegalArgumentException unreadable) {
      throw new OperatorException(
          OperatorException.WRONG_USE, file + " cannot be read: " + unreadable.getMessage());
    }
    if (found.isEmpty()) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          file + " holds no " + label + " in PEM form; name another file");
    }
    return found;
  }
}
