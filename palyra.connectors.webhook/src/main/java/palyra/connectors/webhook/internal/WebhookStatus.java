package palyra.connectors.webhook.internal;

import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;
import palyra.shared.connector.StatusBoard;

/** Whether requests arrive and whether the signing secrets can be read. Thread-safe. */
final class WebhookStatus {
    private final StatusBoard board = new StatusBoard();
    private final String path;
    // guarded by this
    private State secrets = State.STOPPED; // READY while they can be read
    private String problem = "";
    private boolean reachable;
    private boolean late;

    WebhookStatus(String path) {
        this.path = path;
    }

    ConnectorStatus now() {
        return board.now();
    }

    synchronized void started() {
        late = false;
        secrets(State.CONNECTING, "");
    }

    synchronized void stopped() {
        secrets(State.STOPPED, "");
    }

    /** Takes note of whether the HTTP server has the servlet. */
    synchronized void reachable(boolean now) {
        reachable = now;
        refresh();
    }

    /** The HTTP server had enough time. */
    synchronized void late() {
        late = true;
        refresh();
    }

    /** Takes note that a signed request came. */
    synchronized void heard() {
        if (board.now().state() == State.READY) {
            board.heard();
        }
    }

    /** Reads secrets and takes note of how that ended; throws what it throws. */
    <T> T watch(Supplier<T> read) {
        try {
            T result = read.get();
            note(State.READY, "");
            return result;
        } catch (SecretException e) {
            note(State.FAILED, e.getMessage());
            throw e;
        } catch (PalyraException e) {
            note(State.RECONNECTING, "The signing secret cannot be read now: " + e.getMessage());
            throw e;
        }
    }

    private synchronized void note(State state, String reason) {
        if (secrets != State.STOPPED) {
            secrets(state, reason);
        }
    }

    private void secrets(State state, String reason) {
        secrets = state;
        problem = reason;
        refresh();
    }

    private void refresh() {
        if (secrets != State.READY) {
            board.set(secrets, problem);
        } else if (reachable) {
            board.set(State.READY, "");
        } else if (late) {
            board.set(
                    State.FAILED,
                    "The HTTP server does not pass on requests for "
                            + path
                            + ": it does not listen, or another bundle has this path. palyra doctor"
                            + " and palyra logs have the reason.");
        } else {
            board.set(State.CONNECTING, "");
        }
    }
}
