package palyra.gateway.internal.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The same thing done by many at once. */
final class Race {
    private static final long SECONDS = 60;

    private Race() {}

    /** Returns what each got; fails when one failed. */
    static <T> List<T> of(int racers, Callable<T> what) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(racers)) {
            List<T> results = new ArrayList<>();
            for (Future<T> racer :
                    threads.invokeAll(
                            Collections.nCopies(racers, what), SECONDS, TimeUnit.SECONDS)) {
                results.add(racer.get());
            }
            return results;
        }
    }
}
