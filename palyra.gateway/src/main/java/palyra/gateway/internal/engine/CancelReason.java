package palyra.gateway.internal.engine;

import palyra.api.core.journal.CommandRow;
import palyra.shared.json.StrictJson;

/** Reads why a run is to be cancelled from the durable command. */
final class CancelReason {
    private CancelReason() {}

    static String of(CommandRow command) {
        String reason =
                StrictJson.parse(command.payload(), "a cancel command").path("reason").asText("");
        return reason.isEmpty()
                ? "cancelled by " + command.principal()
                : reason + " (" + command.principal() + ")";
    }
}
