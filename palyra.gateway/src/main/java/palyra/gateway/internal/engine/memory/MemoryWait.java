package palyra.gateway.internal.engine.memory;

import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * How long a run waits for memory, and who is told.
 *
 * @param untilNanos when to give up, as of {@link System#nanoTime}
 * @param stop asked several times a second, and must not block
 * @param lasts told once, when the wait has lasted, how many bytes all runs hold; may block
 */
public record MemoryWait(long untilNanos, BooleanSupplier stop, LongConsumer lasts) {}
