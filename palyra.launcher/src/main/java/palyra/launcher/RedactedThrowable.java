package palyra.launcher;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;

/**
 * A log line's exception without secrets, whose messages repeat what failed: {@code %redactedEx} in
 * {@code conf/logback.xml}. A pattern that has it is given no other exception by the library.
 */
public final class RedactedThrowable extends ThrowableProxyConverter {
    /** Made by the logging library. */
    public RedactedThrowable() {}

    @Override
    protected String throwableProxyToString(IThrowableProxy thrown) {
        return LogRedaction.of(super.throwableProxyToString(thrown));
    }
}
