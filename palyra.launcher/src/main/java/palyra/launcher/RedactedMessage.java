package palyra.launcher;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** A log line's message without secrets: {@code %redacted} in {@code conf/logback.xml}. */
public final class RedactedMessage extends ClassicConverter {
    /** Made by the logging library. */
    public RedactedMessage() {}

    @Override
    public String convert(ILoggingEvent event) {
        return LogRedaction.of(event.getFormattedMessage());
    }
}
