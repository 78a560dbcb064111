package palyra.gateway.internal.engine.tool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.WaitNotice;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.engine.run.WorkerStopped;
import palyra.gateway.internal.seam.ToolExecutors;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.shared.fold.Call;
import palyra.shared.json.StrictJson;

/**
 * The tools that executors offer, with a wait for absent ones: what a call of one would do, and
 * which calls may start together.
 */
final class AvailableTools {
    private static final int MAX_PARALLEL = 4;
    private static final long SLICE_MILLIS = 100;
    private static final long PAUSE_MILLIS = 50;

    /** Field of an input by which the model says that a call depends on no other. */
    private static final String PARALLEL = "parallel";

    private static final String NOT_EXAMINED = "tool.not_examined";

    private final RunContext run;
    private final ToolExecutors tools;
    private final WorkerFlags flags;
    private final Consumer<String> waitingFor;

    AvailableTools(
            RunContext run, ToolExecutors tools, WorkerFlags flags, Consumer<String> waitingFor) {
        this.run = run;
        this.tools = tools;
        this.flags = flags;
        this.waitingFor = waitingFor;
    }

    /** Returns the tools on offer now, by name. */
    Map<String, ToolDescriptor> now() {
        Map<String, ToolDescriptor> offered = new LinkedHashMap<>();
        tools.catalogue().forEach(tool -> offered.put(tool.name(), tool));
        return offered;
    }

    /**
     * Returns the tools on offer, after waiting, bounded, for those of {@code calls} that the agent
     * may use and no executor offers now: their bundle may start after the engine, or be replaced.
     * A flag ends the wait.
     */
    Map<String, ToolDescriptor> await(List<Call> calls, EngineSettings settings) {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unavailableWaitMillis());
        boolean reported = false;
        Map<String, ToolDescriptor> offered = now();
        Optional<String> absent = absent(calls, offered);
        while (absent.isPresent() && !flags.raised() && System.nanoTime() < deadline) {
            if (!reported) {
                reported = true;
                waitingFor.accept(
                        "waiting for tool "
                                + absent.get()
                                + WaitNotice.until(settings.unavailableWaitMillis()));
            }
            awaitTool(absent.get());
            offered = now();
            absent = absent(calls, offered);
        }
        if (flags.stopping()) {
            throw new WorkerStopped("the engine stops");
        }
        if (reported) {
            waitingFor.accept("");
        }
        return offered;
    }

    /**
     * Returns whether the tools of some calls are described as before. The facts of a call come
     * from the present executor of its tool: with another version than the one described before,
     * the call would be decided by the wrong description.
     */
    boolean unchanged(List<Call> calls, Map<String, ToolDescriptor> offered) {
        Map<String, ToolDescriptor> present = now();
        return calls.stream()
                .map(call -> call.proposal().tool())
                .allMatch(tool -> Objects.equals(present.get(tool), offered.get(tool)));
    }

    private Optional<String> absent(List<Call> calls, Map<String, ToolDescriptor> offered) {
        return calls.stream()
                .map(call -> call.proposal().tool())
                .filter(tool -> run.agent().tools().contains(tool) && !offered.containsKey(tool))
                .findFirst();
    }

    private void awaitTool(String tool) {
        try {
            tools.find(tool, SLICE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkerStopped("interrupted");
        }
    }

    /** A tool that was there a moment ago is being replaced: it is waited for, bounded. */
    Optional<ToolExamination> examinePatiently(Call call, EngineSettings settings) {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unavailableWaitMillis());
        Optional<ToolExamination> examination = examine(call);
        boolean reported = false;
        while (examination.isEmpty() && !flags.raised() && System.nanoTime() < deadline) {
            if (!reported) {
                reported = true;
                waitingFor.accept(
                        "waiting for tool "
                                + call.proposal().tool()
                                + WaitNotice.until(settings.unavailableWaitMillis()));
            }
            pause();
            examination = examine(call);
        }
        if (reported) {
            waitingFor.accept("");
        }
        return examination;
    }

    /**
     * Lets the executor find out what the call would do; empty when its tool is away. One that is
     * away says nothing, and is held to that: it starts no call whose facts were not decided on.
     */
    Optional<ToolExamination> examine(Call call) {
        try {
            return Optional.of(tools.examine(proposed(call)));
        } catch (PalyraException e) {
            return e.code() == ErrorCode.TOOL_UNAVAILABLE
                    ? Optional.empty()
                    : Optional.of(ToolExamination.refused(NOT_EXAMINED, e.getMessage()));
        } catch (RuntimeException | LinkageError e) {
            return Optional.of(
                    ToolExamination.refused(
                            NOT_EXAMINED,
                            "The effects of the call could not be determined, so it is denied."));
        }
    }

    /**
     * Returns what the call would do in the workspace as it is now; reads the whole workspace.
     *
     * @param since digest of an earlier state, to name what changed; may be empty
     * @throws PalyraException TOOL_UNAVAILABLE when its tool is away
     */
    ToolExamination examineInWorkspace(Call call, String since) {
        return tools.examine(proposed(call).inWorkspace(since));
    }

    private ToolProposed proposed(Call call) {
        return new ToolProposed(
                call.proposal().tool(),
                call.proposal().inputJson(),
                run.sessionId(),
                run.principal(),
                run.agent().agentId());
    }

    /** An absence that is reported at once must not cause requests without a pause. */
    static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkerStopped("interrupted");
        }
    }

    /**
     * Returns the calls that start next: one, or several that only read or that the model says are
     * independent. Calls that wait for people are not among {@code ready} and hold nothing up.
     */
    static List<Call> group(List<Call> ready, Map<String, ToolDescriptor> offered) {
        List<Call> group = new ArrayList<>();
        for (Call call : ready) {
            ToolDescriptor tool = offered.get(call.proposal().tool());
            boolean together = tool != null && (tool.readOnly() || independent(call, tool));
            if (group.size() == MAX_PARALLEL || (!group.isEmpty() && !together)) {
                break;
            }
            group.add(call);
            if (!together) {
                break;
            }
        }
        return group;
    }

    /**
     * Whether the model says that a call depends on no other, to a tool whose schema has a field
     * for that. An answer of a person may be bound to what others would change, so a call that
     * needed one starts alone.
     */
    private static boolean independent(Call call, ToolDescriptor tool) {
        return call.asking().asks() == 0
                && !call.underGrant()
                && StrictJson.parse(tool.inputSchemaJson(), "the schema of a tool")
                        .path("properties")
                        .has(PARALLEL)
                && said(call.proposal().inputJson());
    }

    private static boolean said(String inputJson) {
        try {
            return StrictJson.parse(inputJson, "the input of a call").path(PARALLEL).booleanValue();
        } catch (PalyraException e) {
            return false; // its tool says what is wrong with it
        }
    }
}
