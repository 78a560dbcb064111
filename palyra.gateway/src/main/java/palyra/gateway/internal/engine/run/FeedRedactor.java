package palyra.gateway.internal.engine.run;

import java.util.List;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent;
import palyra.shared.sealed.RunSecrets;

/**
 * Redacts the secrets in what followers see of a run. Pure, except that new secrets get numbers.
 */
public final class FeedRedactor {
    private FeedRedactor() {}

    static TapeEvent.ToolCallOutput output(TapeEvent.ToolCallOutput output, RunSecrets secrets) {
        return new TapeEvent.ToolCallOutput(
                output.callId(),
                output.attempt(),
                output.tool(),
                output.outcome(),
                secrets.json(output.outputJson()),
                secrets.text(output.error()),
                output.images());
    }

    /** A run's state says why, and may repeat what a model or a tool said. */
    static List<Operation> operations(List<? extends Operation> operations, RunSecrets secrets) {
        return operations.stream().map(operation -> operation(operation, secrets)).toList();
    }

    private static Operation operation(Operation operation, RunSecrets secrets) {
        return operation instanceof Operation.MoveRun move && !move.reason().isEmpty()
                ? new Operation.MoveRun(
                        move.runId(), move.from(), move.to(), secrets.text(move.reason()))
                : operation;
    }
}
