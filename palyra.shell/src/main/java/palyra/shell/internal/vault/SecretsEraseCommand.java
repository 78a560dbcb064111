package palyra.shell.internal.vault;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.api.run.RunView;
import palyra.api.tape.TapeRecord;
import palyra.shared.json.Jcs;
import palyra.shared.sealed.RunErasure;
import palyra.shell.internal.commands.RunIds;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code secrets erase RUN --for-good}. */
@Component(service = Command.class)
public final class SecretsEraseCommand extends ShellCommand implements AuthorizesEachResource {
    private static final String ACTION = "run.erase";
    private static final String SURE = "for-good";
    private static final int SCHEMA = 1;

    private final Seams seams;

    @Activate
    public SecretsEraseCommand(@Reference Seams seams) {
        super(
                spec(
                        "secrets erase",
                        "Erases the secrets that the records of a run keep sealed.",
                        "Destroys the run's key: the records stay and verify, what they keep sealed"
                                + " opens never again, and the run does not go on.",
                        ACTION,
                        List.of(OptionSpec.flag(SURE, "Yes, this cannot be undone")),
                        List.of(RunIds.RUN)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String runId = RunIds.of(context, seams);
        if (!context.arguments().flag(SURE)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Erasing cannot be undone; add --for-good to erase the secrets of run "
                            + runId
                            + ".");
        }
        RunView run =
                seams.runs()
                        .call(runs -> runs.run(context.principal(), runId))
                        .orElseThrow(() -> RunIds.unknown(runId));
        AccessRequest question =
                new AccessRequest(
                        context.principal(),
                        ACTION,
                        "run:" + runId,
                        run.principal(),
                        Map.of("command", "secrets erase"));
        Authorized permit = seams.access().call(access -> access.authorize(question));
        Document key = key(runId);
        boolean erased = !RunErasure.isErased(key);
        if (erased) {
            seams.journal()
                    .call(
                            journal ->
                                    journal.commit(
                                            RunErasure.unit(
                                                    key,
                                                    context.principal().id(),
                                                    System.currentTimeMillis(),
                                                    permit.record(),
                                                    record(runId, permit))));
        }
        context.output().fields(Fields.of("runId", runId, "erased", true, "before", !erased));
        return ExitCodes.OK;
    }

    private Document key(String runId) {
        return seams.journal()
                .call(journal -> journal.document(RunErasure.COLLECTION, runId))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        "Run "
                                                + runId
                                                + " keeps nothing sealed; there is nothing to"
                                                + " erase."));
    }

    private static Operation.Append record(String runId, Authorized permit) {
        ObjectNode about = JsonNodeFactory.instance.objectNode();
        about.put("runId", runId);
        about.put("principal", permit.permit().principal().id());
        about.put("action", ACTION);
        about.put("permitId", permit.permit().permitId());
        return new Operation.Append(
                TapeRecord.JOURNAL_STREAM, RunErasure.RECORD, SCHEMA, Jcs.bytes(about));
    }
}
