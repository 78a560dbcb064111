package palyra.bench.skills;

import java.io.IOException;

/** An engine that can be asked to call a module many times. Used by one thread. */
interface Contestant extends AutoCloseable {
    /** Returns what it is, in words. */
    String name();

    /** Makes the module ready. */
    void prepare(Task task) throws IOException, InterruptedException;

    /** Calls for so long, each call with a new instance of what was made ready; at least once. */
    Round calls(long nanos) throws IOException, InterruptedException;

    /** Calls for so long, each time from the module's bytes on: read, compiled, instantiated. */
    Round fresh(long nanos) throws IOException, InterruptedException;

    /**
     * Calls a module that never returns, so many times, each time with a deadline.
     *
     * @return how long after its deadline each call had returned; the answer says nothing
     */
    Round late(int count, long deadlineMillis) throws IOException, InterruptedException;

    @Override
    void close();
}
