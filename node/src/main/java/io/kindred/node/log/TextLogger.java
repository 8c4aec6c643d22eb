package io.kindred.node.log;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger that passes on the text of each line from severity INFO on. */
final class TextLogger extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1;

  private final transient Consumer<String> texts;

  TextLogger(Consumer<String> texts) {
    this.texts = texts;
    this.name = TextLogger.class.getName();
  }

  @Override
  public boolean isTraceEnabled() {
    return false;
  }

  @Override
  public boolean isDebugEnabled() {
    return false;
  }

  @Override
  public boolean isInfoEnabled() {
    return true;
  }

  @Override
  public boolean isWarnEnabled() {
    return true;
  }

  @Override
  public boolean isErrorEnabled() {
    return true;
  }

  @Override
  protected String getFullyQualifiedCallerName() {
    return TextLogger.class.getName();
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      @Nullable Object @Nullable [] arguments,
      @Nullable Throwable exception) {
    texts.accept(MessageFormatter.basicArrayFormat(pattern, arguments));
  }
}
