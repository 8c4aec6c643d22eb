package io.kindred.core.peer;

/**
 * A message from one peer to another. Implementations are records annotated with {@link
 * io.kindred.core.config.Named}; weights inside travel by reference and are delivered with the
 * message or not at all.
 */
public interface Message {
  /** What a message is sent for, so that a shell can count its bytes without knowing its type. */
  enum Category {
    /**
     * A message by which peers find each other: a query, an answer to one, or an exchange of views.
     */
    SEARCH,
    /** Anything else. */
    OTHER
  }

  default Category category() {
    return Category.OTHER;
  }

  /** Whether the sender asks the receiver for a model, so that a shell can keep a record of it. */
  default boolean asksForModel() {
    return false;
  }
}
