package io.kindred.storage.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reserves a folder for one process. The system releases the lock when the process ends, however it
 * ends; the file itself stays and means nothing.
 */
public final class FolderLock implements AutoCloseable {
  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Locks a folder, and removes temporary files that a killed process left there. */
  public static FolderLock acquire(Path folder) {
    Folders.requireWritable(folder);
    try {
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locked(channel)) {
        channel.close();
        throw new FolderException(
            "another process uses the folder %s; stop that process or name another folder"
                .formatted(folder));
      }
      AtomicFile.removeLeftovers(folder);
      return new FolderLock(channel);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + folder, e);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException byThisProcess) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unlock a folder", e);
    }
  }
}
