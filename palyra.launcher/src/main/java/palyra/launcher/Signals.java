package palyra.launcher;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/** The one place that touches the JDK's signal interface, which has no public successor. */
final class Signals {
    private Signals() {}

    /** Puts the former handler back. */
    interface Restore extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Runs the action, on a thread of the JDK, each time the signal arrives. A system without the
     * signal, or a JVM that keeps it for itself, changes nothing.
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
