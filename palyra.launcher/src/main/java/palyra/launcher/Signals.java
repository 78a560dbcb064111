package palyra.launcher;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/** Wraps the JDK's internal signal interface, which has no public replacement. */
final class Signals {
    private Signals() {}

    /** Puts the former handler back. */
    interface Restore extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Runs the action, on a thread of the JDK, each time the signal arrives. No effect where the
     * system lacks the signal or the JVM reserves it.
     */
    static Restore on(String name, Runnable action) {
        try {
            Signal signal = new Signal(name);
            SignalHandler former = Signal.handle(signal, received -> action.run());
            return () -> Signal.handle(signal, former);
        } catch (IllegalArgumentException e) {
            return () -> {};
        }
    }
}
