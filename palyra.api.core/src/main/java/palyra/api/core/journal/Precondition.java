package palyra.api.core.journal;

import java.util.Set;
import palyra.api.Require;
import palyra.api.run.RunState;

/**
 * A condition for applying a unit, checked on the writer in the same transaction. When one does not
 * hold, nothing of the unit happens and the commit fails: with STALE_EPOCH for {@link Epoch} and
 * {@link HoldsLease}, with CONFLICT for the others.
 */
public sealed interface Precondition {
    /** The run is held under exactly this epoch and has not ended. */
    record Epoch(String runId, long epoch) implements Precondition {
        /** Checks. */
        public Epoch {
            Require.text(runId, "run id");
        }
    }

    /** The lease is held by {@code owner} with {@code epoch} and has not been taken over. */
    record HoldsLease(String name, String owner, long epoch) implements Precondition {
        /** Checks. */
        public HoldsLease {
            Require.text(name, "lease name");
            Require.text(owner, "lease owner");
        }
    }

    /** The run is in one of these states. */
    record RunIn(String runId, Set<RunState> states) implements Precondition {
        /** Checks and copies. */
        public RunIn {
            Require.text(runId, "run id");
            states = Set.copyOf(states);
        }
    }

    /** No run of the session is RUNNING, waits for approval, or waits for its turn (ACCEPTED). */
    record SessionIdle(String sessionId) implements Precondition {
        /** Checks. */
        public SessionIdle {
            Require.text(sessionId, "session id");
        }
    }

    /** The session exists and is not archived. */
    record SessionLive(String sessionId) implements Precondition {
        /** Checks. */
        public SessionLive {
            Require.text(sessionId, "session id");
        }
    }

    /** The document has this version; 0 means that it does not exist. */
    record DocumentAt(String collection, String key, long version) implements Precondition {
        /** Checks. */
        public DocumentAt {
            Require.text(collection, "collection");
            Require.text(key, "key");
        }
    }

    /** The approval request is PENDING, has not expired and has this number of votes. */
    record ApprovalOpen(String approvalId, int votes) implements Precondition {
        /** Checks. */
        public ApprovalOpen {
            Require.text(approvalId, "approval id");
        }
    }

    /** The inbox entry exists and is in this state. */
    record InboxIn(String messageId, InboxRow.State state) implements Precondition {
        /** Checks. */
        public InboxIn {
            Require.text(messageId, "message id");
            Require.present(state, "state");
        }
    }

    /**
     * Fewer than {@code limit} inbox entries are QUEUED and runs ACCEPTED, taken together; fails
     * with RESOURCE_EXHAUSTED.
     */
    record QueueBelow(int limit) implements Precondition {}
}
