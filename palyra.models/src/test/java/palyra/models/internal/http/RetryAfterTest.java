package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RetryAfterTest {
    /** 2015-10-21T07:28:00Z. */
    private static final long NOW = 1_445_412_480_000L;

    private static long limited(String... headers) {
        return millis(true, headers);
    }

    private static long millis(boolean limited, String... headers) {
        Map<String, List<String>> all = new TreeMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], List.of(headers[i + 1]));
        }
        return RetryAfter.millis(all, limited, NOW);
    }

    @Test
    void readsSecondsAndDates() {
        assertEquals(7_000, limited("retry-after", "7"));
        assertEquals(1_500, limited("retry-after", "1.5"));
        assertEquals(60_000, limited("retry-after", "Wed, 21 Oct 2015 07:29:00 GMT"));
        assertEquals(0, limited("retry-after", "Wed, 21 Oct 2015 07:27:00 GMT"));
    }

    @Test
    void prefersMilliseconds() {
        assertEquals(250, limited("retry-after", "1", "retry-after-ms", "250"));
    }

    @Test
    void readsTheTimesOfLimits() {
        assertEquals(360_000, limited("x-ratelimit-reset-requests", "6m0s"));
        assertEquals(20, limited("x-ratelimit-reset-tokens", "20ms"));
        assertEquals(90_951, limited("x-ratelimit-reset-tokens", "1m30.951s"));
        assertEquals(5_000, limited("x-ratelimit-reset", Long.toString(NOW / 1_000 + 5)));
        assertEquals(5_000, limited("x-ratelimit-reset", Long.toString(NOW + 5_000)));
        assertEquals(12_000, limited("x-ratelimit-reset", "12"));
        assertEquals(30_000, limited("anthropic-ratelimit-requests-reset", "2015-10-21T07:28:30Z"));
    }

    @Test
    void takesTheLimitThatIsUsedUp() {
        assertEquals(
                1_000,
                limited(
                        "x-ratelimit-reset-requests",
                        "1s",
                        "x-ratelimit-remaining-requests",
                        "0",
                        "x-ratelimit-reset-tokens",
                        "9s",
                        "x-ratelimit-remaining-tokens",
                        "5000"));
    }

    @Test
    void looksAtLimitsOnlyWhenOneIsReached() {
        assertEquals(0, millis(false, "x-ratelimit-reset-requests", "6m0s"));
        assertEquals(7_000, millis(false, "retry-after", "7"));
    }

    @Test
    void takesNonsenseForNothingAndTooMuchForADay() {
        assertEquals(0, limited("retry-after", "soon"));
        assertEquals(0, limited("retry-after", "-5"));
        assertEquals(0, limited("x-ratelimit-reset", ""));
        assertEquals(0, limited());
        assertEquals(RetryAfter.MAX_MILLIS, limited("retry-after", "99999999"));
    }
}
