package palyra.shell.internal.commands;

import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.PositionalSpec;
import palyra.api.run.SessionView;
import palyra.shell.internal.host.Fields;

/** How sessions are named and shown. */
final class Sessions {
    static final PositionalSpec SESSION = PositionalSpec.required("SESSION", "Id of a session");

    private Sessions() {}

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
