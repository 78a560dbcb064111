package palyra.sandbox.tierc.windows.internal;

import java.util.ArrayDeque;
import java.util.Deque;

/** What has to be closed, last one first, unless all went well. For one thread. */
final class Undo implements AutoCloseable {
    private final Deque<AutoCloseable> held = new ArrayDeque<>();

    /** Remembers something and returns it. */
    <T extends AutoCloseable> T add(T resource) {
        held.push(resource);
        return resource;
    }

    /** All went well: nothing is closed. */
    void forget() {
        held.clear();
    }

    @Override
    public void close() {
        while (!held.isEmpty()) {
            try {
                held.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("a handle refuses to be closed", e);
            }
        }
    }
}
