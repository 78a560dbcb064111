package palyra.skills.internal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ActiveSkillListenersTest {
    private final CountDownLatch notified = new CountDownLatch(2);

    @Test
    void notifiesListenersAfterErrorsOfOthers() throws Exception {
        try (ActiveSkillListeners listeners = new ActiveSkillListeners()) {
            listeners.add(
                    skills -> {
                        throw new NoClassDefFoundError("a listener of a bundle that is replaced");
                    });
            listeners.add(skills -> notified.countDown());
            listeners.notifyListeners(List::of);
            listeners.notifyListeners(
                    () -> {
                        throw new AssertionError("made up");
                    });
            listeners.notifyListeners(List::of);
            assertTrue(notified.await(30, TimeUnit.SECONDS));
            assertEquals(1, listeners.loop().restarts());
            assertEquals("AssertionError: made up", listeners.loop().lastFailure());
        }
    }
}
