package palyra.gateway.internal.engine.memory;

import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * How long a run waits for memory, and what is called meanwhile.
 *
 * @param untilNanos when to give up, as of {@link System#nanoTime}
 * @param stop asked several times a second, and must not block
 * @param lasts called once when the wait takes long, with the bytes that all runs hold; may block
 */
public record MemoryWait(long untilNanos, BooleanSupplier stop, LongConsumer lasts) {}
