package palyra.shell.internal.fakes.parts;

import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** A component that is never made, unless its thread is interrupted. */
public final class Brooder implements Supplier<String> {
    /** Waits for nothing. */
    public Brooder() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Override
    public String get() {
        return "never";
    }
}
