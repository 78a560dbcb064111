package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DenialQuotaTest {
    private final DenialQuota quota = new DenialQuota();

    private boolean take(String principal, String action, int size, long now) {
        return quota.take(principal, action, "builtin.default_deny", size, now);
    }

    @Test
    void thoseThatAreAlikeAreBoundedForAnHour() {
        for (int i = 0; i < DenialQuota.MOST_ALIKE; i++) {
            assertTrue(take("user:v", "agent.delete", 1_400, 60_000L * i));
        }
        assertFalse(take("user:v", "agent.delete", 1_400, DenialQuota.WINDOW_MILLIS - 1));
        assertTrue(take("user:v", "agent.create", 1_400, DenialQuota.WINDOW_MILLIS - 1));
        assertTrue(take("user:w", "agent.delete", 1_400, DenialQuota.WINDOW_MILLIS - 1));
        assertTrue(take("user:v", "agent.delete", 1_400, DenialQuota.WINDOW_MILLIS + 1));
    }

    @Test
    void allOfAPrincipalAreBoundedInBytes() {
        long taken = 0;
        for (int i = 0; i < 10_000; i++) {
            taken += take("user:v", "action." + i, 10_000, i) ? 10_000 : 0;
        }
        assertEquals(DenialQuota.MOST_BYTES / 10_000 * 10_000, taken);
        assertTrue(take("user:w", "action.1", 10_000, 10_000));
    }

    @Test
    void manyPrincipalsDoNotMakeTheMapGrow() {
        int taken = 0;
        for (int i = 0; i < 10_000; i++) {
            taken += take("user:" + i, "run.read", 1, i) ? 1 : 0;
        }
        assertEquals(4_096, taken);
        assertTrue(take("user:1", "run.read", 1, 10_000), "one that is known goes on");
    }

    @Test
    void aClockThatGoesBackBeginsAnew() {
        for (int i = 0; i <= DenialQuota.MOST_ALIKE; i++) {
            take("user:v", "run.read", 1, 9_000_000);
        }
        assertFalse(take("user:v", "run.read", 1, 9_000_001));
        assertTrue(take("user:v", "run.read", 1, 1_000));
    }
}
