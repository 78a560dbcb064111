package palyra.shell.internal.commands;

import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.command.PositionalSpec;
import palyra.api.run.SessionView;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** How sessions are named and shown. */
final class Sessions {
    static final PositionalSpec SESSION =
            PositionalSpec.required(
                    "SESSION", "Id of a session, or last for the one of the newest run");

    private Sessions() {}

    /** Returns the id that the first argument names. */
    static String id(CommandContext context, Seams seams) {
        String text = context.arguments().positionals().get(0);
        if (!text.equals(RunIds.LAST)) {
            return Words.id(text, "session id");
        }
        String runId = RunIds.of(text, context, seams);
        return seams.runs()
                .call(runs -> runs.run(context.principal(), runId))
                .orElseThrow(() -> RunIds.unknown(runId))
                .sessionId();
    }

    static Map<String, Object> fields(SessionView session) {
        return Fields.of(
                "sessionId", session.sessionId(),
                "key", session.key(),
                "label", session.label(),
                "principal", session.principal(),
                "device", session.deviceId(),
                "channel", session.channel(),
                "agentId", session.agentId(),
                "created", Words.time(session.createdAtMillis()),
                "updated", Words.time(session.updatedAtMillis()),
                "archived", Words.time(session.archivedAtMillis()),
                "lastRunId", session.lastRunId());
    }

    static PalyraException unknown(String sessionId) {
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "There is no session " + sessionId + "; list them with palyra sessions list.");
    }
}
