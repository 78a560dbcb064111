package palyra.skills.internal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ActiveSkillListenersTest {
    private final CountDownLatch told = new CountDownLatch(2);

    @Test
    void whoeverWatchesIsToldAfterErrorsOfOthers() throws Exception {
        try (ActiveSkillListeners watchers = new ActiveSkillListeners()) {
            watchers.add(
                    skills -> {
                        throw new NoClassDefFoundError("a listener of a bundle that is replaced");
                    });
            watchers.add(skills -> told.countDown());
            listeners.notifyListeners(List::of);
            listeners.notifyListeners(
                    () -> {
                        throw new AssertionError("made up");
                    });
            listeners.notifyListeners(List::of);
            assertTrue(told.await(30, TimeUnit.SECONDS));
            assertEquals(1, watchers.loop().restarts());
            assertEquals("AssertionError: made up", watchers.loop().lastFailure());
        }
    }
}
