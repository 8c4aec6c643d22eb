package io.kindred.node.transport;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which versions this node and the members that it has been in contact with have.
 *
 * @param earlierTask until when nodes of the version before are served, if that time is stated
 */
public record VersionReport(
    OfMember own, @Nullable String earlierTask, SortedMap<Long, OfMember> members) {
  public VersionReport {
    members = new TreeMap<>(members);
  }

  /**
   * The versions of one member.
   *
   * @param transport newest version of the transport that it speaks
   * @param task name of its task; absent if it has not said
   * @param version version of its task
   * @param same whether its task is exactly that of this node
   */
  public record OfMember(
      int transport, @Nullable String task, @Nullable Integer version, boolean same) {}
}
