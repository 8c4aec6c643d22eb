package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.discovery.ViewEntry.Source;
import java.util.Arrays;

/**
 * Entries of a view in flat arrays: half the memory of a list of records, and a search by peer
 * reads one array. A table changes only until it becomes a {@link ViewEntries}.
 */
final class EntryTable {
  private static final Source[] SOURCES = Source.values();

  // A mark holds age, votes, source and whether the owner was checked, from high to low bits.
  private static final int AGE_SHIFT = 8;
  private static final int VOTES_SHIFT = 3;
  private static final int VOTES_MASK = 31;
  private static final int SOURCE_SHIFT = 1;
  private static final int SOURCE_MASK = 3;
  private static final int CHECKED = 1;

  private long[] peers;
  private Descriptor[] descriptors;
  private float[] similarities;
  private int[] marks;
  private int size;

  EntryTable(int capacity) {
    peers = new long[capacity];
    descriptors = new Descriptor[capacity];
    similarities = new float[capacity];
    marks = new int[capacity];
  }

  private EntryTable(EntryTable shared, int[] marks) {
    peers = shared.peers;
    descriptors = shared.descriptors;
    similarities = shared.similarities;
    this.marks = marks;
    size = shared.size;
  }

  /** A table with the same entries, and room for more. */
  EntryTable copy(int more) {
    EntryTable copy = new EntryTable(size + more);
    System.arraycopy(peers, 0, copy.peers, 0, size);
    System.arraycopy(descriptors, 0, copy.descriptors, 0, size);
    System.arraycopy(similarities, 0, copy.similarities, 0, size);
    System.arraycopy(marks, 0, copy.marks, 0, size);
    copy.size = size;
    return copy;
  }

  /** The entries at the first positions of an order, without room for more. */
  EntryTable selected(int[] order, int count) {
    EntryTable chosen = new EntryTable(count);
    for (int i = 0; i < count; i++) {
      int from = order[i];
      chosen.peers[i] = peers[from];
      chosen.descriptors[i] = descriptors[from];
      chosen.similarities[i] = similarities[from];
      chosen.marks[i] = marks[from];
    }
    chosen.size = count;
    return chosen;
  }

  /**
   * The same entries, of which a pulled model has confirmed one. The other arrays are shared, so
   * neither table may change.
   */
  EntryTable confirmed(int index) {
    EntryTable copy = new EntryTable(this, marks.clone());
    copy.marks[index] = mark(0, Source.COMPUTED, isChecked(index), 0);
    return copy;
  }

  int size() {
    return size;
  }

  long peer(int index) {
    return peers[index];
  }

  Descriptor descriptor(int index) {
    return descriptors[index];
  }

  Sketch sketch(int index) {
    return descriptors[index].sketch();
  }

  float similarity(int index) {
    return similarities[index];
  }

  int age(int index) {
    return marks[index] >>> AGE_SHIFT;
  }

  int votes(int index) {
    return ((marks[index] >>> VOTES_SHIFT) & VOTES_MASK) - ViewEntry.MAX_VOTES;
  }

  Source source(int index) {
    return SOURCES[(marks[index] >>> SOURCE_SHIFT) & SOURCE_MASK];
  }

  boolean isChecked(int index) {
    return (marks[index] & CHECKED) != 0;
  }

  boolean isDisputed(int index) {
    return ViewEntry.isDisputed(source(index), votes(index));
  }

  AdvertisedModel advertised(int index) {
    return new AdvertisedModel(descriptors[index], age(index));
  }

  ViewEntry entry(int index) {
    return new ViewEntry(
        descriptors[index],
        age(index),
        similarities[index],
        source(index),
        isChecked(index),
        votes(index));
  }

  /** The position of the peer's entry, or a negative number. */
  int find(PeerId peer) {
    long number = peer.number();
    for (int i = 0; i < size; i++) {
      if (peers[i] == number) {
        return i;
      }
    }
    return -1;
  }

  /** The models of these entries, for a request. */
  KnownModels known() {
    int[] all = new int[size];
    Arrays.setAll(all, i -> i);
    return known(all);
  }

  /**
   * The models of these entries whose owners a request listed, for its reply. Nothing else of them
   * is of use to the partner, which neither compares nor sends back a model that it lacks.
   */
  KnownModels known(PeerIndex request) {
    int[] common = new int[size];
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (request.find(peers[i]) >= 0) {
        common[count++] = i;
      }
    }
    return known(Arrays.copyOf(common, count));
  }

  private KnownModels known(int[] positions) {
    int count = positions.length;
    long[] owners = new long[count];
    long[] versions = new long[count];
    long[] fingerprints = new long[count];
    int[] ages = new int[count];
    for (int i = 0; i < count; i++) {
      int position = positions[i];
      owners[i] = peers[position];
      versions[i] = descriptors[position].version();
      fingerprints[i] = descriptors[position].sketch().fingerprint();
      ages[i] = age(position);
    }
    return new KnownModels(owners, versions, ages, fingerprints);
  }

  void add(ViewEntry entry) {
    add(
        entry.descriptor(),
        entry.similarity(),
        mark(entry.age(), entry.source(), entry.checked(), entry.votes()));
  }

  /** Adds an entry of an owner that is not known yet. */
  void add(Descriptor descriptor, int age, float similarity, Source source) {
    add(descriptor, similarity, mark(age, source, false, 0));
  }

  private void add(Descriptor descriptor, float similarity, int mark) {
    if (size == peers.length) {
      int capacity = 2 * size + 1;
      peers = Arrays.copyOf(peers, capacity);
      descriptors = Arrays.copyOf(descriptors, capacity);
      similarities = Arrays.copyOf(similarities, capacity);
      marks = Arrays.copyOf(marks, capacity);
    }
    put(size++, descriptor, similarity, mark);
  }

  /** Replaces the model of an owner. */
  void replace(int index, Descriptor descriptor, int age, float similarity, Source source) {
    // What was said of the last version is a hint about its owner.
    put(index, descriptor, similarity, mark(age, source, isChecked(index), votes(index) / 2));
  }

  private void put(int index, Descriptor descriptor, float similarity, int mark) {
    peers[index] = descriptor.peer().number();
    descriptors[index] = descriptor;
    similarities[index] = similarity;
    marks[index] = mark;
  }

  void setAge(int index, int age) {
    marks[index] = (marks[index] & ((1 << AGE_SHIFT) - 1)) | (age << AGE_SHIFT);
  }

  void setSimilarity(int index, float similarity) {
    similarities[index] = similarity;
  }

  /** A partner holds the same sketch of this version, or another one. */
  void vote(int index, boolean same) {
    int votes =
        Math.clamp(votes(index) + (same ? 1L : -1L), -ViewEntry.MAX_VOTES, ViewEntry.MAX_VOTES);
    marks[index] = mark(age(index), source(index), isChecked(index), votes);
  }

  /** Removes an entry; those behind it move up. */
  void remove(int index) {
    size--;
    int moved = size - index;
    System.arraycopy(peers, index + 1, peers, index, moved);
    System.arraycopy(descriptors, index + 1, descriptors, index, moved);
    System.arraycopy(similarities, index + 1, similarities, index, moved);
    System.arraycopy(marks, index + 1, marks, index, moved);
  }

  @SuppressWarnings("EnumOrdinal") // within one process
  private static int mark(int age, Source source, boolean checked, int votes) {
    return (age << AGE_SHIFT)
        | ((votes + ViewEntry.MAX_VOTES) << VOTES_SHIFT)
        | (source.ordinal() << SOURCE_SHIFT)
        | (checked ? CHECKED : 0);
  }
}
