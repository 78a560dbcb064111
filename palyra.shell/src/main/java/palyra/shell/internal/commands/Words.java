package palyra.shell.internal.commands;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** How values are written for people and read from them. */
public final class Words {
    private static final String ULID = "[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}";
    private static final long KIB = 1024;

    private Words() {}

    /** Returns a time to the second, UTC; empty for 0. */
    public static String time(long unixMillis) {
        return unixMillis <= 0
                ? ""
                : Instant.ofEpochMilli(unixMillis).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Returns a length of time such as {@code 2h 05m}. */
    public static String duration(long millis) {
        Duration d = Duration.ofMillis(Math.max(0, millis));
        if (d.toDays() > 0) {
            return d.toDays() + "d " + d.toHoursPart() + "h";
        }
        if (d.toHours() > 0) {
            return String.format(Locale.ROOT, "%dh %02dm", d.toHours(), d.toMinutesPart());
        }
        if (d.toMinutes() > 0) {
            return String.format(Locale.ROOT, "%dm %02ds", d.toMinutes(), d.toSecondsPart());
        }
        return d.toSeconds() + "s";
    }

    /** Returns a size such as {@code 1.5 MiB}. */
    public static String bytes(long bytes) {
        if (bytes < KIB) {
            return bytes + " B";
        }
        String[] units = {"KiB", "MiB", "GiB", "TiB"};
        double value = bytes;
        int unit = -1;
        while (value >= KIB && unit < units.length - 1) {
            value /= KIB;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }

    /** Returns the first {@code limit} characters of a text, with an ellipsis when it is longer. */
    public static String brief(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
        return text.substring(0, end) + "…";
    }

    /** Returns whether a text has the form of an id. */
    public static boolean isId(String text) {
        return text.matches(ULID);
    }

    /** Returns an id as it is stored; INVALID_ARGUMENT when it has not the form of one. */
    public static String id(String text, String what) {
        if (!isId(text)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "'"
                            + brief(text, 40)
                            + "' is no "
                            + what
                            + ": expected the 26 letters and digits that lists show.");
        }
        return text.toUpperCase(Locale.ROOT);
    }

    /**
     * Reads a length of time such as {@code 90s}, {@code 30m}, {@code 12h}, {@code 7d}; returns
     * milliseconds.
     */
    public static long millis(String text, String option) {
        if (!text.matches("[0-9]{1,6}[smhd]")) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "--"
                            + option
                            + " is '"
                            + brief(text, 40)
                            + "': give a number with s, m, h or d, such as 12h.");
        }
        long number = Long.parseLong(text.substring(0, text.length() - 1));
        return switch (text.charAt(text.length() - 1)) {
            case 's' -> Duration.ofSeconds(number).toMillis();
            case 'm' -> Duration.ofMinutes(number).toMillis();
            case 'h' -> Duration.ofHours(number).toMillis();
            default -> Duration.ofDays(number).toMillis();
        };
    }
}
