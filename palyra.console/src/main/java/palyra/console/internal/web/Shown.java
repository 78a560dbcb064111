package palyra.console.internal.web;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import palyra.api.console.Level;

/** How values are written in pages. */
public final class Shown {
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

    private static final int BRIEF = 12;

    private Shown() {}

    /** Returns a time as a browser's script reads it, to show it in the reader's zone. */
    public static String iso(long unixMillis) {
        return Instant.ofEpochMilli(unixMillis).toString();
    }

    /** Returns a time for readers without a script. */
    public static String utc(long unixMillis) {
        return UTC.format(Instant.ofEpochMilli(unixMillis));
    }

    /**
     * Returns text with characters visible that would turn the direction of what follows, or that
     * are not shown at all: {@code U+202E} becomes {@code [U+202E]}.
     */
    public static String text(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().forEach(point -> append(shown, point));
        return shown.toString();
    }

    /** Returns the class of a notice of a level; {@code notice} is the class of the box itself. */
    public static String box(Level level) {
        return level == Level.NOTICE ? "info" : level.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the beginning of a digest. */
    public static String brief(String digest) {
        return digest.substring(0, Math.min(BRIEF, digest.length()));
    }

    private static void append(StringBuilder shown, int point) {
        boolean plain = point == '\n' || point == '\t' || point == '\r';
        int type = Character.getType(point);
        if (!plain && (type == Character.FORMAT || type == Character.CONTROL)) {
            shown.append(String.format("[U+%04X]", point));
        } else {
            shown.appendCodePoint(point);
        }
    }
}
