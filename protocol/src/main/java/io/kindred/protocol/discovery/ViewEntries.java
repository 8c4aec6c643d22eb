package io.kindred.protocol.discovery;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** The entries of a view: an unchangeable list whose entries exist only while they are read. */
final class ViewEntries extends AbstractList<ViewEntry> implements RandomAccess {
  private static final ViewEntries EMPTY = new ViewEntries(new EntryTable(0), false);

  private final EntryTable table;
  private final boolean trimmed;

  /**
   * Takes the table over; it must not change any more.
   *
   * @param trimmed whether the entries are known to have the order and the bounds of a view
   */
  ViewEntries(EntryTable table, boolean trimmed) {
    this.table = table;
    this.trimmed = trimmed;
  }

  /** The same list, copied unless it cannot change. */
  static ViewEntries copyOf(List<ViewEntry> entries) {
    if (entries instanceof ViewEntries same) {
      return same;
    }
    if (entries.isEmpty()) {
      return EMPTY;
    }
    EntryTable table = new EntryTable(entries.size());
    entries.forEach(table::add);
    return new ViewEntries(table, false);
  }

  /** The entries for reading. */
  EntryTable table() {
    return table;
  }

  /** Whether another {@link SimilarityView#trimmed} would change nothing. */
  boolean isTrimmed() {
    return trimmed;
  }

  @Override
  public ViewEntry get(int index) {
    return table.entry(index);
  }

  @Override
  public int size() {
    return table.size();
  }
}
