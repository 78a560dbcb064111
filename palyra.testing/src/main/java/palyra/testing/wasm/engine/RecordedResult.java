package palyra.testing.wasm.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.api.core.wasm.WasmResult;

/** Takes the results of one call: there must be exactly one in the end. */
public final class RecordedResult implements Consumer<WasmResult> {
    private static final long PATIENCE_SECONDS = 60;

    private final List<WasmResult> results = new CopyOnWriteArrayList<>();
    private final CountDownLatch first = new CountDownLatch(1);

    @Override
    public void accept(WasmResult result) {
        results.add(result);
        first.countDown();
    }

    /** Returns the result when it is there. */
    public WasmResult await() throws InterruptedException {
        if (!first.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("no result after " + PATIENCE_SECONDS + " s");
        }
        return results.get(0);
    }

    /** Returns whether there is a result. */
    public boolean given() {
        return first.getCount() == 0;
    }

    /** Fails unless there is exactly one. */
    public void once() {
        assertEquals(1, results.size(), "results of one call: " + results);
    }
}
