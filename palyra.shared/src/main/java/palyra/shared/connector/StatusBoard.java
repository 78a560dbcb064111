package palyra.shared.connector;

import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;

/** How the connector is doing. Thread-safe. */
public final class StatusBoard {
    private volatile ConnectorStatus now = ConnectorStatus.of(State.STOPPED, "");

    /** Returns how it is doing. */
    public ConnectorStatus now() {
        return now;
    }

    /** Takes note of a state. */
    public void set(State state, String reason) {
        set(state, reason, 0);
    }

    /**
     * Takes note of a state that lasts until another attempt.
     *
     * @param nextAttemptAtMillis when; 0 for none
     */
    public synchronized void set(State state, String reason, long nextAttemptAtMillis) {
        ConnectorStatus before = now;
        long since =
                state == before.state() && before.sinceMillis() > 0
                        ? before.sinceMillis()
                        : System.currentTimeMillis();
        now =
                new ConnectorStatus(
                        state, since, reason, nextAttemptAtMillis, before.lastEventAtMillis());
    }

    /** Takes note that the platform was heard, and all is well. */
    public synchronized void heard() {
        ConnectorStatus before = now;
        long millis = System.currentTimeMillis();
        now =
                new ConnectorStatus(
                        State.READY,
                        before.state() == State.READY ? before.sinceMillis() : millis,
                        "",
                        0,
                        millis);
    }
}
