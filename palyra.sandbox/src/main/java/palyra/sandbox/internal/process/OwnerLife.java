package palyra.sandbox.internal.process;

import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.run.SessionView;
import palyra.sandbox.internal.run.Stop;
import palyra.shared.gate.Gate;

/** Whether the run or the session of a background process goes on, as the journal has it. */
public interface OwnerLife {
    /** Returns why a process has to end; empty while it may go on, or when nothing is known. */
    Optional<Stop> over(String runId, String sessionId, boolean outlivesRun);

    /** Returns what the journal says; nothing while it is away. */
    static OwnerLife of(Gate<Journal> journal) {
        return (runId, sessionId, outlivesRun) -> {
            try {
                return outlivesRun
                        ? journal.call(reader -> reader.session(sessionId))
                                .filter(OwnerLife::isArchived)
                                .map(session -> Stop.SESSION_ENDED)
                        : journal.call(reader -> reader.run(runId))
                                .filter(OwnerLife::isOver)
                                .map(run -> Stop.RUN_ENDED);
            } catch (PalyraException e) {
                return Optional.empty();
            }
        };
    }

    private static boolean isArchived(SessionView session) {
        return session.archivedAtMillis() > 0;
    }

    private static boolean isOver(RunRow run) {
        return run.state().terminal();
    }
}
