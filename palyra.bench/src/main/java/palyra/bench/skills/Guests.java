package palyra.bench.skills;

import java.io.IOException;

/** What an engine in this JVM can do with a module. Used by one thread. */
interface Guests extends AutoCloseable {
    /** Makes a module ready; the calls that follow are of this one. */
    void prepare(Task task) throws IOException;

    /** Calls it in a new instance. */
    Answer call() throws InterruptedException;

    /** Calls it from its bytes on, with nothing kept from before. */
    Answer fresh() throws InterruptedException;

    /** Calls it, and ends it at the deadline; throws when it ended by itself. */
    void expire(long deadlineMillis) throws InterruptedException;

    @Override
    void close();
}
