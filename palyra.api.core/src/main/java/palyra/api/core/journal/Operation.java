package palyra.api.core.journal;

import java.util.List;
import java.util.Set;
import palyra.api.Require;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;

/**
 * One change. Operations of a unit are applied in order, all or none. An operation that does not
 * fit the stored state (unknown id, taken id, wrong state) fails the unit with CONFLICT, NOT_FOUND
 * or ALREADY_EXISTS. Times are assigned by the store.
 */
public sealed interface Operation {
    /**
     * Inserts a session; its id and, within principal, its key must be free. {@code
     * createdAtMillis} and the like are ignored.
     */
    record InsertSession(SessionView session) implements Operation {
        /** Checks. */
        public InsertSession {
            Require.present(session, "session");
        }
    }

    /** Binds the session to an agent; empty means to none. */
    record BindSession(String sessionId, String agentId) implements Operation {
        /** Checks. */
        public BindSession {
            Require.text(sessionId, "session id");
            agentId = Require.orEmpty(agentId);
        }
    }

    /**
     * Archives a session, frees its key and ends its grants. Fails with CONFLICT while a run of it
     * has not ended. Archiving twice changes nothing.
     */
    record ArchiveSession(String sessionId) implements Operation {
        /** Checks. */
        public ArchiveSession {
            Require.text(sessionId, "session id");
        }
    }

    /**
     * Inserts a run in state ACCEPTED (or RUNNING, which needs the session to be idle) with an
     * empty tape whose first {@code prevHash} derives from run, session and principal. Becomes the
     * session's last run.
     *
     * @param epoch epoch of the engine that holds it from the start; 0 for none
     */
    record InsertRun(
            String runId,
            String sessionId,
            String principal,
            String agentId,
            String originKind,
            String messageId,
            String surface,
            RunState state,
            long epoch)
            implements Operation {
        /** Checks. */
        public InsertRun {
            Require.text(runId, "run id");
            Require.text(sessionId, "session id");
            Require.text(principal, "principal");
            agentId = Require.orEmpty(agentId);
            originKind = Require.orEmpty(originKind);
            messageId = Require.orEmpty(messageId);
            surface = Require.orEmpty(surface);
            Require.that(
                    state == RunState.ACCEPTED || state == RunState.RUNNING,
                    "a run begins ACCEPTED or RUNNING, not " + state);
        }
    }

    /**
     * Takes the run for an engine: sets its epoch, which must be higher than the stored one. Fails
     * with STALE_EPOCH otherwise.
     *
     * @param afterCrash whether the engine before died while it held the run, which counts as an
     *     attempt
     */
    record ClaimRun(String runId, long epoch, boolean afterCrash) implements Operation {
        /** Checks. */
        public ClaimRun {
            Require.text(runId, "run id");
        }

        /** Claims a run that the previous engine released. */
        public ClaimRun(String runId, long epoch) {
            this(runId, epoch, false);
        }
    }

    /** Notes how often in a row an engine could not go on with a run; 0 forgets it. */
    record NoteAttempts(String runId, int attempts) implements Operation {
        /** Checks. */
        public NoteAttempts {
            Require.text(runId, "run id");
            Require.that(attempts >= 0, "attempts are " + attempts + ": count from 0");
        }
    }

    /**
     * Moves a run to {@code to} if it is in one of {@code from}, else CONFLICT. RUNNING and
     * AWAITING_APPROVAL also need the session to have no other active run; a QUARANTINED one is not
     * active. A terminal state is for good: it seals the tape after the other operations of the
     * unit were applied, withdraws approvals still PENDING and, unless it is SUCCEEDED, outbox rows
     * still PENDING that were put before it (a row put after it in the same unit, such as the
     * notice of a failure, goes out). The matching {@code run_state} record is the caller's to
     * append in the same unit.
     */
    record MoveRun(String runId, Set<RunState> from, RunState to, String reason)
            implements Operation {
        /** Checks and copies. */
        public MoveRun {
            Require.text(runId, "run id");
            from = Set.copyOf(from);
            Require.present(to, "state");
            reason = Require.orEmpty(reason);
        }
    }

    /**
     * Appends a record to a run's tape, or to {@code journal}. Fails with CONFLICT when the run is
     * sealed.
     *
     * @param type record type, such as {@code message}
     * @param schema version of the payload's form
     * @param payload canonical JSON; not copied
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they will be stored
    record Append(String streamId, String type, int schema, byte[] payload) implements Operation {
        /** Checks. */
        public Append {
            Require.text(streamId, "stream id");
            Require.text(type, "record type");
            Require.present(payload, "payload");
            Require.that(
                    schema >= 1,
                    "schema of a " + type + " record is " + schema + ": counts from 1");
        }
    }

    /**
     * Deletes payload and salt of one record; its hash and place stay. Erasing twice changes
     * nothing.
     */
    record ErasePayload(String streamId, long seq) implements Operation {
        /** Checks. */
        public ErasePayload {
            Require.text(streamId, "stream id");
        }
    }

    /**
     * Notes what retention left of the payloads of a run; their erasure is the caller's to add.
     * CONFLICT when the run has not ended; nothing happens when as little, or less, was left
     * before.
     */
    record NoteRunPayloads(String runId, RunPayloads left) implements Operation {
        /** Checks. */
        public NoteRunPayloads {
            Require.text(runId, "run id");
            Require.present(left, "payloads that are left");
        }
    }

    /**
     * Deletes a settled row and what belongs to it. CONFLICT when the row is not settled, or was
     * not before that time; nothing happens when there is no such row.
     *
     * @param beforeMillis as in {@link JournalReader#settled}
     */
    record DropSettled(SettledKind kind, String id, long beforeMillis) implements Operation {
        /** Checks. */
        public DropSettled {
            Require.present(kind, "kind");
            Require.text(id, "id");
        }
    }

    /**
     * Keeps a snapshot of a run in place of the one before; NOT_FOUND when its tape has no such
     * record, CONFLICT when the run has ended. It goes when the run ends, and when a payload of the
     * run is erased.
     */
    record PutSnapshot(RunSnapshot snapshot) implements Operation {
        /** Checks. */
        public PutSnapshot {
            Require.present(snapshot, "snapshot");
        }
    }

    /**
     * Inserts an accepted message, QUEUED or ROUTED, or one that is IGNORED. ALREADY_EXISTS when
     * its id, its dedupe key or its run is taken.
     */
    record PutInbox(InboxRow row) implements Operation {
        /** Checks. */
        public PutInbox {
            Require.present(row, "inbox row");
        }
    }

    /** Marks a QUEUED message as routed to a run, or rejected with a reason. */
    record SettleInbox(String messageId, InboxRow.State state, String runId, String reason)
            implements Operation {
        /** Checks. */
        public SettleInbox {
            Require.text(messageId, "message id");
            Require.that(
                    state == InboxRow.State.ROUTED || state == InboxRow.State.REJECTED,
                    "settle as ROUTED or REJECTED");
            runId = Require.orEmpty(runId);
            reason = Require.orEmpty(reason);
        }
    }

    /** Inserts an answer. */
    record PutOutbox(OutboxRow row) implements Operation {
        /** Checks. */
        public PutOutbox {
            Require.present(row, "outbox row");
        }
    }

    /**
     * Moves an answer from one state to another, else CONFLICT. Moving to SENDING adds an attempt
     * to those of the progress.
     *
     * @param progress how far sending is then; null leaves it as it is
     */
    record MoveOutbox(
            String outboxId, OutboxRow.State from, OutboxRow.State to, OutboxProgress progress)
            implements Operation {
        /** Checks. */
        public MoveOutbox {
            Require.text(outboxId, "outbox id");
            Require.present(from, "state");
            Require.present(to, "state");
        }

        /** Moves an answer and leaves its progress as it is. */
        public MoveOutbox(String outboxId, OutboxRow.State from, OutboxRow.State to) {
            this(outboxId, from, to, null);
        }
    }

    /** Replaces the payload of a PENDING answer; CONFLICT in another state. Payload not copied. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they will be stored
    record RewriteOutbox(String outboxId, byte[] payload) implements Operation {
        /** Checks. */
        public RewriteOutbox {
            Require.text(outboxId, "outbox id");
            Require.present(payload, "payload");
        }
    }

    /** Inserts a durable command. */
    record PutCommand(CommandRow row) implements Operation {
        /** Checks. */
        public PutCommand {
            Require.present(row, "command row");
        }
    }

    /** Marks a command as done; CONFLICT when it was done already. */
    record FinishCommand(String commandId, String result) implements Operation {
        /** Checks. */
        public FinishCommand {
            Require.text(commandId, "command id");
            result = Require.orEmpty(result);
        }
    }

    /** Inserts an approval request. */
    record PutApproval(ApprovalRow row) implements Operation {
        /** Checks. */
        public PutApproval {
            Require.present(row, "approval row");
        }
    }

    /**
     * Decides a PENDING approval request once; CONFLICT when it was decided before, for GRANTED and
     * DENIED also after it has expired, and for EXPIRED before that. The run that waits for it is
     * then among {@link JournalReader#answeredRuns} until it moves to RUNNING.
     *
     * @param decision the answer as canonical JSON; may be null; not copied
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they will be stored
    record DecideApproval(
            String approvalId, ApprovalRow.State state, String decidedBy, byte[] decision)
            implements Operation {
        /** Checks. */
        public DecideApproval {
            Require.text(approvalId, "approval id");
            Require.present(state, "state");
            decidedBy = Require.orEmpty(decidedBy);
            decision = decision == null ? new byte[0] : decision;
        }

        /** Decides without an answer in JSON. */
        public DecideApproval(String approvalId, ApprovalRow.State state, String decidedBy) {
            this(approvalId, state, decidedBy, null);
        }
    }

    /**
     * Counts one principal's approval of a PENDING request that has not expired; CONFLICT
     * otherwise, and when the principal has voted before.
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they will be stored
    record VoteApproval(String approvalId, String principal, byte[] payload) implements Operation {
        /** Checks. */
        public VoteApproval {
            Require.text(approvalId, "approval id");
            Require.text(principal, "principal");
            Require.present(payload, "payload");
        }
    }

    /**
     * Counts a reminder of a PENDING approval request; CONFLICT when it is not pending, or when
     * another number of reminders was given than {@code notices}.
     *
     * @param notices how many were given before
     * @param nextAtMillis unix time in milliseconds of the next; 0 for none
     */
    record NoteApproval(String approvalId, int notices, long nextAtMillis) implements Operation {
        /** Checks. */
        public NoteApproval {
            Require.text(approvalId, "approval id");
        }
    }

    /** Inserts a grant. */
    record PutGrant(GrantRow row) implements Operation {
        /** Checks. */
        public PutGrant {
            Require.present(row, "grant row");
        }
    }

    /**
     * Uses a grant for one start; CONFLICT when it does not cover the call, is not ACTIVE, it has
     * expired by the store's clock, its uses are spent, or this start used it before.
     */
    record UseGrant(String grantId, String callId, int attempt) implements Operation {
        /** Checks. */
        public UseGrant {
            Require.text(grantId, "grant id");
            Require.text(callId, "call id");
        }
    }

    /** Revokes an ACTIVE grant; CONFLICT when it is not ACTIVE. */
    record RevokeGrant(String grantId, String by) implements Operation {
        /** Checks. */
        public RevokeGrant {
            Require.text(grantId, "grant id");
            Require.text(by, "principal");
        }
    }

    /**
     * Reserves the claimed amount in every account, opening missing accounts and noting the caps.
     * Refused with RESOURCE_EXHAUSTED, whose cause is a {@link BudgetExceeded}, when the used and
     * reserved amounts of an account would exceed a cap; ALREADY_EXISTS when the id is taken by an
     * open reservation.
     *
     * @param runId run that it is for: a remaining reservation counts as used when the run ends
     */
    record ReserveBudget(String reservationId, String runId, List<BudgetClaim> claims)
            implements Operation {
        /** Checks and copies. */
        public ReserveBudget {
            Require.text(reservationId, "reservation id");
            Require.text(runId, "run id");
            claims = List.copyOf(claims);
            Require.that(!claims.isEmpty(), "a reservation claims something");
        }
    }

    /**
     * Ends a reservation: the reserved amount is released and the used amount is counted, even
     * above a cap. A reservation that is not open changes nothing, so settling twice counts once.
     *
     * @param used the used amount; null means the whole reservation
     */
    record SettleBudget(String reservationId, BudgetAmount used) implements Operation {
        /** Checks. */
        public SettleBudget {
            Require.text(reservationId, "reservation id");
        }

        /** Counts the whole reservation as used. */
        public static SettleBudget whole(String reservationId) {
            return new SettleBudget(reservationId, null);
        }
    }

    /**
     * Notes that users were notified of a threshold, opening a missing account; CONFLICT when they
     * were notified of it, or of a higher one, before.
     */
    record NoteBudget(String budget, String subject, String period, BudgetAmount cap, int percent)
            implements Operation {
        /** Checks. */
        public NoteBudget {
            Require.text(budget, "name of a budget");
            Require.text(subject, "subject of a budget");
            Require.text(period, "period of a budget");
            Require.present(cap, "cap of a budget");
            Require.that(percent > 0, "a threshold is above 0 percent");
        }
    }

    /** Inserts or replaces a document; its version rises by one. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they will be stored
    record PutDocument(String collection, String key, byte[] content) implements Operation {
        /** Checks. */
        public PutDocument {
            Require.text(collection, "collection");
            Require.text(key, "key");
            Require.present(content, "content");
        }
    }

    /** Deletes a document; deleting a missing one changes nothing. */
    record DeleteDocument(String collection, String key) implements Operation {
        /** Checks. */
        public DeleteDocument {
            Require.text(collection, "collection");
            Require.text(key, "key");
        }
    }
}
