package palyra.sandbox.internal.process;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolResult;
import palyra.sandbox.internal.process.BackgroundProcess.Owner;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.RunResult;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.shared.json.Jcs;

/** Starts a process that goes on after its call. */
final class BackgroundStart {
    private final ProcessToolService service;

    BackgroundStart(ProcessToolService service) {
        this.service = service;
    }

    /** Returns as soon as the process runs, or says why it does not. */
    ConfinedResult start(ToolOrder order, ProcessInput input) throws InterruptedException {
        SandboxSettings settings = service.settings();
        service.awaitTest(order, settings.limits(), settings.defaultWallMillis(), input);
        SandboxLimits limits =
                CommandPreparer.withinTime(
                        settings.limits(),
                        settings.backgroundWallMillis(),
                        settings.backgroundWallMillis(),
                        input,
                        Long.MAX_VALUE);
        for (int left = ProcessToolService.NEW_SANDBOXES; ; left--) {
            PreparedCommand prepared =
                    service.preparer().prepare(order, input, service.examiner(), settings, limits);
            Optional<BackgroundProcess> process = started(order, input, prepared, left > 0);
            if (process.isPresent()) {
                return told(process.get(), input, limits);
            }
        }
    }

    /** Returns the process; empty when it has to be tried in another sandbox. */
    private Optional<BackgroundProcess> started(
            ToolOrder order, ProcessInput input, PreparedCommand prepared, boolean again)
            throws InterruptedException {
        try {
            BackgroundProcess process =
                    service.backgrounds()
                            .start(Owner.of(order.invocation()), input.outlivesRun(), prepared);
            boolean lost =
                    again
                            && !process.started().join().spawned()
                            && service.hasLostSession(prepared);
            if (lost) {
                service.backgrounds().forget(process);
            }
            return lost ? Optional.empty() : Optional.of(process);
        } catch (PalyraException e) {
            if (again && service.hasLostSession(prepared)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private ConfinedResult told(
            BackgroundProcess process, ProcessInput input, SandboxLimits limits) {
        SandboxSettings settings = service.settings();
        PreparedCommand prepared = process.prepared();
        LiveRun live = process.started().join();
        Optional<RunResult> failed = process.result().filter(result -> !live.spawned());
        if (failed.isPresent()) {
            return ProcessResults.of(
                    failed.get(), prepared.programSha256(), ProcessResults.Asked.NOTHING);
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("process_id", process.id());
        node.put("state", process.result().isPresent() ? "ended" : "running");
        node.put(
                "ends",
                (process.outlivesRun() ? "with this session, " : "with this run, ")
                        + "after "
                        + limits.wallMillis()
                        + " ms, or when it is not asked for within "
                        + settings.backgroundMaxMillis()
                        + " ms");
        String note = input.noteOfTime(settings.backgroundWallMillis());
        if (!note.isEmpty()) {
            node.put("note", note);
        }
        ConfinedResult started =
                new ConfinedResult(
                        Outcome.SUCCEEDED,
                        ToolResult.of(Jcs.text(node)),
                        live.executor(),
                        live.enforcement(),
                        prepared.programSha256());
        ConfinedResult noted = ProcessResults.noted(started, prepared.noteOfSession());
        return ProcessResults.noted(noted, live.noteOfFull());
    }
}
