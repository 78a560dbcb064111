package palyra.gateway.internal.engine.run;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.gateway.internal.seam.Services;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.sealed.RunSecrets;
import palyra.shared.sealed.SecretReaches;
import palyra.shared.tape.TapeCodec;

/**
 * Tells a run the messages that came while it worked and are to steer it. Such a message waits as
 * the session's next run, as any other does; it moves into the run that goes on in one unit, or
 * gets its own run when that one ends first. Thread-safe.
 */
public final class Steering {
    /** Most messages that a run is told at once; further ones follow before the next turn. */
    static final int MOST_AT_ONCE = 20;

    /** Most characters of them; the first is told whatever its length. */
    static final int MOST_CHARS = SubmittedMessage.MAX_TEXT;

    private static final Set<RunState> QUEUED = EnumSet.of(RunState.ACCEPTED);

    /** Records at the start of a tape among which its message is. */
    private static final int BEGINNING = 8;

    private final Services services;
    private final Predicate<String> mayWait;

    /**
     * Creates it.
     *
     * @param mayWait whether a run may wait in a session, by its id; asked without the journal
     */
    public Steering(Services services, Predicate<String> mayWait) {
        this.services = services;
        this.mayWait = mayWait;
    }

    /** Tells the run what waits for it, in the order in which it came. */
    public void tell(RunContext run, RunLog log, RunFinisher.Listener whenDurable) {
        if (!mayWait.test(run.sessionId())) {
            return;
        }
        List<RunRow> moved = new ArrayList<>();
        List<TapeEvent> messages = new ArrayList<>();
        int room = MOST_CHARS;
        for (RunRow row : waiting(run.sessionId())) {
            Optional<TapeEvent.Message> message = steering(run, row);
            if (message.isEmpty() || (!moved.isEmpty() && message.get().text().length() > room)) {
                break; // what came after it may not overtake it
            }
            room -= message.get().text().length();
            moved.add(row);
            messages.add(message.get());
        }
        if (!moved.isEmpty()) {
            move(run, log, moved, messages, whenDurable);
        }
    }

    private List<RunRow> waiting(String sessionId) {
        return services.journal().call(j -> j.runsIn(QUEUED, sessionId, "", MOST_AT_ONCE));
    }

    private void move(
            RunContext run,
            RunLog log,
            List<RunRow> moved,
            List<TapeEvent> messages,
            RunFinisher.Listener whenDurable) {
        String why = "its message was told to run " + run.runId();
        List<Precondition> still = new ArrayList<>();
        List<Operation> ends = new ArrayList<>();
        for (RunRow row : moved) {
            still.add(new Precondition.RunIn(row.runId(), QUEUED));
            ends.add(new Operation.MoveRun(row.runId(), QUEUED, RunState.CANCELLED, why));
            ends.add(
                    TapeCodec.append(
                            row.runId(),
                            new TapeEvent.RunStateChanged(RunState.CANCELLED, null, why)));
        }
        try {
            log.commit(still, messages, ends);
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                return; // one of them was cancelled meanwhile; the others are told with the next
            }
            throw e;
        }
        for (RunRow row : moved) {
            whenDurable.ended(run.sessionId(), row.runId(), RunState.CANCELLED, List.of(), why);
        }
    }

    /** Empty for a run that is to be one of its own. */
    private Optional<TapeEvent.Message> steering(RunContext run, RunRow row) {
        if (!row.principal().equals(run.principal())
                || !row.agentId().equals(run.agent().agentId())
                || !row.surface().equals(run.surface())) {
            return Optional.empty();
        }
        Optional<InboxRow> inbox = services.journal().call(j -> j.inbox(row.messageId()));
        return inbox.filter(
                        kept ->
                                SubmissionCodec.message(kept.payload()).whileRunning()
                                        == WhileRunning.STEER)
                .flatMap(kept -> said(row, kept));
    }

    /** Read from the tape of the run that it waits as, where its secrets are sealed. */
    private Optional<TapeEvent.Message> said(RunRow row, InboxRow inbox) {
        RunSecrets secrets =
                services.secrets()
                        .of(
                                row.runId(),
                                SecretReaches.of(
                                        row.principal(),
                                        SubmissionCodec.principalGroups(inbox.payload()),
                                        row.agentId(),
                                        SubmissionCodec.message(inbox.payload()).channel()));
        return beginning(row).stream()
                .map(secrets::read)
                .filter(TapeEvent.Message.class::isInstance)
                .map(TapeEvent.Message.class::cast)
                .filter(message -> message.role() == TapeEvent.Role.USER)
                .findFirst();
    }

    private List<TapeRecord> beginning(RunRow row) {
        return services.journal().call(j -> j.tape(row.runId(), 0, BEGINNING));
    }
}
