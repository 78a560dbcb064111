package palyra.gateway.internal.engine.tool;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.approval.GrantUses;
import palyra.gateway.internal.budget.Spending;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.RunLog;
import palyra.gateway.internal.engine.run.RunOrigin;
import palyra.gateway.internal.engine.run.WaitNotice;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.engine.run.WorkerStopped;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.seam.ToolExecutors;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.shared.fold.Call;

/**
 * Has proposed calls decided. Without a decision a call is refused: malformed or oversized input
 * before a decision, and every call when no decision arrives in time.
 */
final class ToolDecider {
    private static final long SLICE_MILLIS = 250;
    private static final long PAUSE_MILLIS = 50;
    private static final String NOT_EXAMINED = "tool.not_examined";

    private final RunContext run;
    private final RunOrigin origin;
    private final ToolExecutors executors;
    private final WorkerFlags flags;
    private final Consumer<String> waitingFor;
    private final CallAuthorizer authorizer;
    private final Spending spending;

    /**
     * Creates a decider for one run.
     *
     * @param log keeps secrets out of what people are asked
     * @param waitingFor told what the run waits for, and the empty text when it goes on
     */
    ToolDecider(
            RunContext run,
            Services services,
            RunLog log,
            RunOrigin origin,
            WorkerFlags flags,
            Consumer<String> waitingFor) {
        this.run = run;
        this.origin = origin;
        this.executors = services.tools();
        this.flags = flags;
        this.waitingFor = waitingFor;
        this.authorizer =
                new CallAuthorizer(
                        run,
                        services,
                        log.secrets(),
                        SLICE_MILLIS,
                        (call, since) -> executors.examine(proposed(call).inWorkspace(since)));
        this.spending = services.spending();
    }

    /**
     * Decides one call.
     *
     * @param offered the tools on offer by name
     * @param uses starts under grants that the unit in the making holds already
     * @return the decision; empty when a flag was raised meanwhile
     */
    Optional<CallDecision> decide(
            Call call,
            Map<String, ToolDescriptor> offered,
            GrantUses uses,
            EngineSettings settings) {
        Optional<ToolPolicyDecision> unusable =
                Refusals.ofInput(call, offered.get(call.proposal().tool()));
        if (unusable.isPresent()) {
            return unusable.map(answer -> CallDecision.of(answer, ""));
        }
        boolean there = offered.containsKey(call.proposal().tool());
        Optional<ToolExamination> examination =
                there ? examinePatiently(call, settings) : examine(call);
        if (examination.isEmpty()) {
            return there && flags.raised()
                    ? Optional.empty()
                    : ask(call, offered, uses, settings, ExaminedCall.UNKNOWN);
        }
        return switch (examination.get()) {
            case ToolExamination.Refused refused ->
                    Optional.of(denied(refused.reasonCode(), refused.reason()));
            case ToolExamination.Facts found ->
                    ask(
                            call,
                            offered,
                            uses,
                            settings,
                            new ExaminedCall(found.facts(), found.description(), true));
        };
    }

    private static CallDecision denied(String code, String reason) {
        return CallDecision.of(Refusals.deny(code, reason), "");
    }

    /** A tool that was there a moment ago is being replaced: it is waited for, bounded. */
    private Optional<ToolExamination> examinePatiently(Call call, EngineSettings settings) {
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
    private Optional<ToolExamination> examine(Call call) {
        try {
            return Optional.of(executors.examine(proposed(call)));
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

    private ToolProposed proposed(Call call) {
        return new ToolProposed(
                call.proposal().tool(),
                call.proposal().inputJson(),
                run.sessionId(),
                run.principal(),
                run.agent().agentId());
    }

    private ToolPolicyRequest question(
            Call call,
            ExaminedCall found,
            Map<String, ToolDescriptor> offered,
            EngineSettings settings) {
        return new ToolPolicyRequest(
                run.principal(),
                run.agent().agentId(),
                run.agent().test(),
                run.runId(),
                run.sessionId(),
                call.callId(),
                call.proposal().tool(),
                offered.get(call.proposal().tool()),
                call.proposal().inputJson(),
                Set.copyOf(run.agent().tools()),
                Math.max(0, settings.maxCallsPerRun() - call.ordinal() + 1),
                settings.maxCallsPerRun(),
                origin.read(SLICE_MILLIS)
                        .about(found.facts())
                        .after(spending.spend(run.caller(), run.runId())),
                List.copyOf(offered.values()));
    }

    private Optional<CallDecision> ask(
            Call call,
            Map<String, ToolDescriptor> offered,
            GrantUses uses,
            EngineSettings settings,
            ExaminedCall found) {
        return patiently(
                () -> authorizer.rule(call, found, question(call, found, offered, settings), uses),
                settings);
    }

    private Optional<CallDecision> patiently(
            Supplier<CallDecision> decision, EngineSettings settings) {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unavailableWaitMillis());
        boolean reported = false;
        while (!flags.raised()) {
            Optional<CallDecision> decided = tryOnce(decision, System.nanoTime() >= deadline);
            if (decided.isPresent()) {
                if (reported) {
                    waitingFor.accept("");
                }
                return decided;
            }
            if (!reported) {
                reported = true;
                waitingFor.accept("waiting for policy");
            }
            pause();
        }
        return Optional.empty();
    }

    /** Returns empty while access is absent, unless it is {@code late}. */
    private static Optional<CallDecision> tryOnce(Supplier<CallDecision> decision, boolean late) {
        try {
            return Optional.of(decision.get());
        } catch (PalyraException e) {
            if (e.code().kind() != ErrorCode.Kind.UNAVAILABLE) {
                return Optional.of(
                        denied("policy.failed", "The call could not be decided, so it is denied."));
            }
            return late
                    ? Optional.of(
                            denied(
                                    "policy.unavailable",
                                    "Access control is not available to decide the call, so it is denied."))
                    : Optional.empty();
        } catch (RuntimeException | LinkageError e) {
            return Optional.of(
                    denied(
                            "policy.failed",
                            "The decision failed unexpectedly, so the call is denied."));
        }
    }

    /** An absence that is reported at once must not cause requests without a pause. */
    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkerStopped("interrupted");
        }
    }
}
