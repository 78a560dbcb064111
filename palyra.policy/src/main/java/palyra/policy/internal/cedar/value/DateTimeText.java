package palyra.policy.internal.cedar.value;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text forms of an instant: a date, or a date, a time and a zone. */
final class DateTimeText {
    private static final Pattern DATE = Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})");
    private static final Pattern TIME = Pattern.compile("T([0-9]{2}):([0-9]{2}):([0-9]{2})");
    private static final Pattern REST =
            Pattern.compile("(?:\\.([0-9]{3}))?(?:Z|([+-])([0-9]{2})([0-9]{2}))");
    private static final long DAY_MILLIS = 86_400_000;
    private static final int MINUTE_MILLIS = 60_000;

    private DateTimeText() {}

    /** Milliseconds since 1970. The form is checked before the ranges, from left to right. */
    static long parse(String text) {
        Matcher date = DATE.matcher(text);
        require(date.lookingAt(), "invalid date pattern");
        if (date.end() == text.length()) {
            return day(date) * DAY_MILLIS;
        }
        Matcher time = TIME.matcher(text).region(date.end(), text.length());
        require(time.lookingAt(), "invalid hour/minute/second pattern");
        Matcher rest = REST.matcher(text).region(time.end(), text.length());
        require(rest.matches(), "invalid millisecond and/or offset pattern");
        long millis = day(date) * DAY_MILLIS + timeOfDay(time);
        if (rest.group(1) != null) {
            millis += number(rest, 1);
        }
        return millis - zone(rest);
    }

    private static long day(Matcher date) {
        try {
            return LocalDate.of(number(date, 1), number(date, 2), number(date, 3)).toEpochDay();
        } catch (DateTimeException e) {
            throw refused("invalid date: " + date.group());
        }
    }

    private static long timeOfDay(Matcher time) {
        try {
            LocalTime clock = LocalTime.of(number(time, 1), number(time, 2), number(time, 3));
            return clock.toSecondOfDay() * 1000L;
        } catch (DateTimeException e) {
            throw refused("invalid hour/minute/second: " + time.group().substring(1));
        }
    }

    private static long zone(Matcher rest) {
        if (rest.group(2) == null) {
            return 0;
        }
        int hours = number(rest, 3);
        int minutes = number(rest, 4);
        require(hours < 24 && minutes < 60, "invalid offset range: " + hours + minutes);
        long millis = (hours * 60L + minutes) * MINUTE_MILLIS;
        return rest.group(2).equals("-") ? -millis : millis;
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    private static void require(boolean condition, String reason) {
        if (!condition) {
            throw refused(reason);
        }
    }

    private static EvaluationException refused(String reason) {
        return EvaluationException.extension(DateTimeValue.NAME, reason);
    }
}
