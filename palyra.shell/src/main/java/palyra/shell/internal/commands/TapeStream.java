package palyra.shell.internal.commands;

import java.util.Map;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.JournalReader;
import palyra.api.core.journal.RunLoss;
import palyra.api.core.journal.RunRow;
import palyra.api.tape.TapeRecord;
import palyra.shell.internal.host.Seams;

/**
 * A tape that the caller may use: of a run, or the journal's own.
 *
 * @param run the run; empty for the journal's own events
 */
public record TapeStream(String streamId, Optional<RunRow> run) {
    /** A tape as a command takes it. */
    public static final PositionalSpec RUN_OR_JOURNAL =
            PositionalSpec.required(
                    "RUN", "Id of a run, last, or journal for the journal's own events");

    /**
     * Returns the named tape.
     *
     * @throws PalyraException NOT_FOUND also for a run of another user
     */
    public static TapeStream permitted(
            Seams seams, CommandContext context, String name, String action) {
        if (TapeRecord.isJournal(name)) {
            ask(seams, context, action, "stream:journal", "");
            return new TapeStream(nodeStream(seams, name), Optional.empty());
        }
        String runId = RunIds.of(name, context, seams);
        Optional<RunRow> run = seams.journal().call(journal -> journal.run(runId));
        Optional<RunLoss> loss =
                run.isPresent()
                        ? Optional.empty()
                        : seams.journal().call(journal -> journal.loss(runId));
        String owner =
                run.map(RunRow::principal)
                        .or(() -> loss.map(RunLoss::principal))
                        .orElseThrow(() -> RunIds.unknown(runId));
        try {
            ask(seams, context, action, "run:" + runId, owner);
        } catch (PalyraException e) {
            boolean own = owner.equals(context.principal().id());
            throw e.code() == ErrorCode.DENIED && !own ? RunIds.unknown(runId) : e;
        }
        if (loss.isPresent()) {
            throw new PalyraException(ErrorCode.CORRUPT, loss.get().sentence());
        }
        return new TapeStream(runId, run);
    }

    /**
     * Returns the full name of the stream of the gateway's events; a stopped journal verifies too.
     */
    private static String nodeStream(Seams seams, String name) {
        String own;
        try {
            own = seams.journal().call(JournalReader::nodeStream);
        } catch (PalyraException e) {
            if (name.equals(TapeRecord.JOURNAL_STREAM)) {
                return name;
            }
            throw e;
        }
        if (!name.equals(TapeRecord.JOURNAL_STREAM) && !name.equals(own)) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "This journal has no stream " + name + "; its events are in " + own + ".");
        }
        return own;
    }

    /**
     * Requires permission for a resource of {@code owner}; null or empty for a resource without an
     * owner.
     */
    public static void ask(
            Seams seams, CommandContext context, String action, String resource, String owner) {
        AccessRequest question =
                new AccessRequest(context.principal(), action, resource, owner, Map.of());
        seams.access().run(access -> access.authorizeRead(question));
    }
}
