package palyra.connectors.telegram.internal;

import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;

/** How the connector is doing. One thread writes at a time; any may read. */
final class StatusBoard {
    private volatile ConnectorStatus now = ConnectorStatus.of(State.STOPPED, "");

    ConnectorStatus now() {
        return now;
    }

    /** Takes note of a state. */
    void set(State state, String reason) {
        set(state, reason, 0);
    }

    /**
     * Takes note of a state that lasts until another attempt.
     *
     * @param nextAttemptAtMillis when; 0 for none
     */
    void set(State state, String reason, long nextAttemptAtMillis) {
        ConnectorStatus before = now;
        long since =
                state == before.state() && before.sinceMillis() > 0
                        ? before.sinceMillis()
                        : System.currentTimeMillis();
        now =
                new ConnectorStatus(
                        state, since, reason, nextAttemptAtMillis, before.lastEventAtMillis());
    }

    /** Takes note that Telegram answered as it should. */
    void heard() {
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
