package palyra.testing.wasm.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmEngineView;
import palyra.testing.wait.Await;

/**
 * What every engine must do. Extend it in the engine's tests, supply two methods, and every rule of
 * {@link palyra.api.core.wasm.WasmEngine} becomes a test of yours.
 */
public abstract class WasmEngineContract extends WasmEndRules {
    private static final int CALLS = 1_000;

    /** The view says what the engine is. */
    @Test
    public void saysWhatItIs() throws Exception {
        WasmEngineView view = engine().view();
        assertTrue(view.ready(), view.reason());
        assertTrue(view.isolation().startsWith("process="), view.isolation());
        assertEquals(0, view.running());
        RecordedResult answer = begin(Fixture.BASIC.call(id(), "endless"), HostFunctions.none());
        Await.until("it is counted", () -> engine().view().running() == 1);
        engine().cancel("call-1");
        ended(WasmEnding.CANCELLED, answer.await());
        assertEquals(0, engine().view().running());
    }

    /** A thousand calls, a third of them trapped, leave no thread and no descriptor behind. */
    @Test
    public void leavesNothingBehind() throws Exception {
        mixed(CALLS / 10);
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        int descriptors = descriptors();
        mixed(CALLS);
        Await.until("there are no more threads", () -> added(threads) <= 2);
        assertTrue(
                descriptors() <= descriptors + 4,
                "from " + descriptors + " descriptors to " + descriptors());
    }

    private void mixed(int calls) throws InterruptedException {
        for (int at = 0; at < calls; at++) {
            switch (at % 3) {
                case 0 -> ended(WasmEnding.RETURNED, run("answer"));
                case 1 -> ended(WasmEnding.TRAPPED, run("load"));
                default ->
                        ended(
                                WasmEnding.RETURNED,
                                runWith("share", "act", (memory, arguments) -> 0));
            }
        }
    }

    private static long added(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> thread.getName().startsWith("palyra-wasm"))
                .count();
    }

    private static int descriptors() {
        String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }
}
