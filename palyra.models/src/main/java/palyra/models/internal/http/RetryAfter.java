package palyra.models.internal.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads how long a server asks to wait: {@code Retry-After} in seconds or as a date (RFC 9110,
 * section 10.2.3), {@code retry-after-ms} (OpenAI), and for a server that is asked too often the
 * times at which its limits are renewed ({@code x-ratelimit-reset…}, {@code
 * anthropic-ratelimit-…-reset}). Pure functions.
 */
public final class RetryAfter {
    /** Longer waits are treated as a mistake and cut to this. */
    static final long MAX_MILLIS = Duration.ofDays(1).toMillis();

    private static final Pattern PARTS =
            Pattern.compile(
                    "(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9}(?:\\.\\d{1,9})?)s)?"
                            + "(?:(\\d{1,9}(?:\\.\\d{1,9})?)ms)?");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,15}(?:\\.\\d{1,9})?");

    /** Above this a number of seconds is a time of the calendar, of 2001 or later. */
    private static final double EPOCH_SECONDS = 1e9;

    private static final double EPOCH_MILLIS = 1e12;

    private RetryAfter() {}

    /**
     * Returns how long to wait in milliseconds, at most a day; 0 without a usable header.
     *
     * @param headers headers of the answer, names in lower case
     * @param limited whether the server said that it is asked too often: only then do the times of
     *     its limits count
     * @param nowMillis unix time in milliseconds
     */
    public static long millis(Map<String, List<String>> headers, boolean limited, long nowMillis) {
        OptionalLong said = exact(first(headers, "retry-after-ms"));
        if (said.isEmpty()) {
            said = after(first(headers, "retry-after"), nowMillis);
        }
        long wait = said.orElse(limited ? renewed(headers, nowMillis) : 0);
        return Math.clamp(wait, 0, MAX_MILLIS);
    }

    private static String first(Map<String, List<String>> headers, String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.isEmpty() ? "" : values.get(0).strip();
    }

    private static OptionalLong exact(String value) {
        return NUMBER.matcher(value).matches()
                ? OptionalLong.of((long) Math.ceil(Double.parseDouble(value)))
                : OptionalLong.empty();
    }

    private static OptionalLong after(String value, long nowMillis) {
        if (NUMBER.matcher(value).matches()) {
            return OptionalLong.of((long) Math.ceil(Double.parseDouble(value) * 1_000));
        }
        try {
            Instant date =
                    ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return OptionalLong.of(date.toEpochMilli() - nowMillis);
        } catch (DateTimeException e) {
            return OptionalLong.empty();
        }
    }

    /** The latest of the limits that are used up; of all when none says so. */
    private static long renewed(Map<String, List<String>> headers, long nowMillis) {
        long ofUsedUp = 0;
        long ofAny = 0;
        for (String name : headers.keySet()) {
            boolean reset =
                    name.startsWith("x-ratelimit-reset")
                            || (name.startsWith("anthropic-ratelimit-") && name.endsWith("-reset"));
            if (!reset) {
                continue;
            }
            long wait = until(first(headers, name), nowMillis);
            String left = first(headers, name.replace("reset", "remaining"));
            ofAny = Math.max(ofAny, wait);
            ofUsedUp = left.matches("0+") ? Math.max(ofUsedUp, wait) : ofUsedUp;
        }
        return ofUsedUp > 0 ? ofUsedUp : ofAny;
    }

    /** Reads {@code 6m0s}, {@code 20ms}, seconds, unix seconds or milliseconds, or RFC 3339. */
    private static long until(String value, long nowMillis) {
        if (NUMBER.matcher(value).matches()) {
            double number = Double.parseDouble(value);
            if (number >= EPOCH_MILLIS) {
                return (long) number - nowMillis;
            }
            return number >= EPOCH_SECONDS
                    ? (long) (number * 1_000) - nowMillis
                    : (long) Math.ceil(number * 1_000);
        }
        Matcher parts = PARTS.matcher(value.toLowerCase(Locale.ROOT));
        if (!value.isEmpty() && parts.matches()) {
            double seconds = part(parts, 1) * 3_600 + part(parts, 2) * 60 + part(parts, 3);
            return (long) Math.ceil(seconds * 1_000 + part(parts, 4));
        }
        try {
            return Instant.parse(value).toEpochMilli() - nowMillis;
        } catch (DateTimeException e) {
            return 0;
        }
    }

    private static double part(Matcher parts, int group) {
        return parts.group(group) == null ? 0 : Double.parseDouble(parts.group(group));
    }
}
