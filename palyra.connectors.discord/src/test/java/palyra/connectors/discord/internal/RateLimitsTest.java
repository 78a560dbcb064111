package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Buckets, the channel that each is counted for, and the account's limit. */
class RateLimitsTest {
    private static final String POST = "POST /channels/ID/messages";
    private static final String EDIT = "PATCH /channels/ID/messages/ID";

    private final RateLimits limits = new RateLimits();
    private long now = 5_000_000;

    private static Map<String, List<String>> headers(String bucket, int remaining, String reset) {
        return Map.of(
                "x-ratelimit-bucket",
                List.of(bucket),
                "x-ratelimit-remaining",
                List.of(Integer.toString(remaining)),
                "x-ratelimit-reset-after",
                List.of(reset));
    }

    @Test
    void aUsedUpBucketIsWaitedForInItsChannelAlone() {
        limits.learn(POST, "1", headers("b", 1, "1.5"), now);
        assertEquals(0, limits.reserve(POST, "1", true, now));
        assertEquals(1_500, limits.reserve(POST, "1", true, now), "the last place is taken");
        assertEquals(0, limits.reserve(POST, "2", true, now));
        assertEquals(0, limits.reserve(POST, "1", true, now + 1_500));
    }

    @Test
    void requestsOfOneBucketShareIt() {
        limits.learn(POST, "1", headers("b", 5, "5"), now);
        limits.learn(EDIT, "1", headers("b", 0, "5"), now);
        assertEquals(5_000, limits.reserve(POST, "1", true, now));
    }

    @Test
    void anAnswerOfEarlierDoesNotGiveBackWhatIsUnderWay() {
        limits.learn(POST, "1", headers("b", 2, "5"), now);
        limits.reserve(POST, "1", true, now);
        limits.reserve(POST, "1", true, now);
        limits.learn(POST, "1", headers("b", 1, "5"), now);
        assertTrue(limits.reserve(POST, "1", true, now) > 0);
    }

    @Test
    void whatMayBeLeftOutLeavesHalfOfASecondToOthers() {
        int taken = 0;
        while (!limits.isBusy(now)) {
            assertEquals(0, limits.reserve(POST, Integer.toString(taken), true, now));
            taken++;
        }
        assertEquals(23, taken);
        assertEquals(0, limits.reserve(POST, "1", true, now));
        assertFalse(limits.isBusy(now + 1_000));
    }

    @Test
    void theAccountsLimitHoldsForAllButInteractions() {
        limits.limited(POST, "1", true, 3_000, now);
        assertEquals(3_000, limits.reserve(EDIT, "2", true, now));
        assertEquals(0, limits.reserve("POST /interactions", "3", false, now));
        assertEquals(0, limits.reserve(EDIT, "2", true, now + 3_000));
    }

    @Test
    void aRefusalHoldsForItsChannel() {
        limits.limited(POST, "1", false, 900, now);
        assertEquals(900, limits.reserve(POST, "1", true, now));
        assertEquals(0, limits.reserve(POST, "2", true, now));
    }

    @Test
    void fewerThanFiftyRequestsLeaveInASecond() {
        for (int i = 0; i < 45; i++) {
            assertEquals(0, limits.reserve(POST, Integer.toString(i), true, now));
        }
        assertEquals(1_000, limits.reserve(POST, "x", true, now));
        assertEquals(0, limits.reserve(POST, "x", true, now + 1_000));
    }

    @Test
    void secondsHaveFractions() {
        assertEquals(65_000, RateLimits.millis("65"));
        assertEquals(64_571, RateLimits.millis("64.5701"));
        assertEquals(-1, RateLimits.millis(""));
        assertEquals(-1, RateLimits.millis("soon"));
    }

    @Test
    void manyChannelsAreForgottenOnceTheirTimeIsOver() {
        for (int i = 0; i < 30_000; i++) {
            limits.learn(POST, Integer.toString(i), headers("b", 0, "1"), now + i);
        }
        assertEquals(1_000, limits.reserve(POST, "29999", true, now + 29_999));
    }
}
