package palyra.gateway.internal.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.access.ToolQuestion;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.fold.Call;
import palyra.gateway.internal.seam.ToolExecutors;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;

/**
 * Asks whether a proposed call may happen. What cannot be asked is refused: malformed or oversized
 * input before the question, and every call when nobody answered in time.
 */
final class ToolDecider {
    private static final long SLICE_MILLIS = 250;
    private static final long PAUSE_MILLIS = 50;
    private static final String ENGINE = "ENGINE";
    private static final String NO_SNAPSHOT = "{}";

    private final RunContext run;
    private final Gate<Access> access;
    private final Circumstances circumstances;
    private final ToolExecutors executors;
    private final WorkerFlags flags;
    private final Consumer<String> waitingFor;

    /**
     * Creates a decider for one run.
     *
     * @param waitingFor told what the run waits for, and the empty text when it goes on
     */
    ToolDecider(
            RunContext run,
            Gate<Access> access,
            Circumstances circumstances,
            ToolExecutors executors,
            WorkerFlags flags,
            Consumer<String> waitingFor) {
        this.run = run;
        this.access = access;
        this.circumstances = circumstances;
        this.executors = executors;
        this.flags = flags;
        this.waitingFor = waitingFor;
    }

    /**
     * Decides one call.
     *
     * @param offered the tools on offer by name
     * @param budgetLeft calls that the run may still make, this one included
     * @return the decision; empty when a flag was raised meanwhile
     */
    Optional<Decided> decide(
            Call call,
            Map<String, ToolDescriptor> offered,
            int budgetLeft,
            EngineSettings settings) {
        Optional<ToolAnswer> unusable = refuseInput(call, offered.get(call.proposal().tool()));
        if (unusable.isPresent()) {
            return unusable.map(Decided::without);
        }
        return switch (examine(call)) {
            case ToolExamination.Refused refused ->
                    Optional.of(Decided.without(deny(refused.reasonCode(), refused.reason())));
            case ToolExamination.Facts found ->
                    ask(
                                    () ->
                                            question(
                                                    call,
                                                    found.facts(),
                                                    offered,
                                                    budgetLeft,
                                                    settings),
                                    settings)
                            .map(answer -> new Decided(answer, Decisions.recorded(found.facts())));
        };
    }

    /**
     * What was decided.
     *
     * @param factsSha256 digest of what the call would do; empty when there is nothing
     */
    record Decided(ToolAnswer answer, String factsSha256) {
        static Decided without(ToolAnswer answer) {
            return new Decided(answer, "");
        }
    }

    /**
     * Lets the executor find out what the call would do. A tool that is away says nothing, and is
     * held to that: it starts no call whose facts were not decided on.
     */
    private ToolExamination examine(Call call) {
        try {
            return executors.examine(
                    new ToolProposed(
                            call.proposal().tool(),
                            call.proposal().inputJson(),
                            run.sessionId(),
                            run.principal(),
                            run.agent().agentId()));
        } catch (PalyraException e) {
            return e.code() == ErrorCode.TOOL_UNAVAILABLE
                    ? ToolExamination.facts(CallFacts.none())
                    : ToolExamination.refused("tool.not_examined", e.getMessage());
        } catch (RuntimeException | LinkageError e) {
            return ToolExamination.refused(
                    "tool.not_examined",
                    "What the call would do could not be found out, so it is denied.");
        }
    }

    private ToolQuestion question(
            Call call,
            CallFacts facts,
            Map<String, ToolDescriptor> offered,
            int budgetLeft,
            EngineSettings settings) {
        return new ToolQuestion(
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
                budgetLeft,
                settings.maxCallsPerRun(),
                circumstances.read(SLICE_MILLIS).about(facts),
                List.copyOf(offered.values()));
    }

    private static Optional<ToolAnswer> refuseInput(Call call, ToolDescriptor descriptor) {
        String input = call.proposal().inputJson();
        if (descriptor != null
                && input.getBytes(StandardCharsets.UTF_8).length > descriptor.maxInputBytes()) {
            return Optional.of(
                    deny(
                            "quota.tool_input_too_large",
                            "The input of "
                                    + call.proposal().tool()
                                    + " is larger than its "
                                    + descriptor.maxInputBytes()
                                    + " bytes; send less."));
        }
        try {
            JsonNode node = StrictJson.parse(input, "the input of " + call.proposal().tool());
            return node.isObject()
                    ? Optional.empty()
                    : Optional.of(
                            deny(
                                    "tool.input_invalid",
                                    "The input is no JSON object; send an object."));
        } catch (PalyraException e) {
            return Optional.of(deny("tool.input_invalid", e.getMessage()));
        }
    }

    private Optional<ToolAnswer> ask(Supplier<ToolQuestion> question, EngineSettings settings) {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unavailableWaitMillis());
        boolean told = false;
        while (!flags.raised()) {
            Optional<ToolAnswer> answer = tryOnce(question, System.nanoTime() >= deadline);
            if (answer.isPresent()) {
                if (told) {
                    waitingFor.accept("");
                }
                return answer;
            }
            if (!told) {
                told = true;
                waitingFor.accept("waiting for policy");
            }
            pause();
        }
        return Optional.empty();
    }

    /** Returns empty while nobody is there to decide, unless it is {@code late}. */
    private Optional<ToolAnswer> tryOnce(Supplier<ToolQuestion> question, boolean late) {
        try {
            ToolQuestion asked = question.get();
            try (Gate.Lease<Access> lease = access.lease(SLICE_MILLIS)) {
                return Optional.of(failClosed(lease.service().decideTool(asked)));
            }
        } catch (PalyraException e) {
            if (e.code().kind() != ErrorCode.Kind.UNAVAILABLE) {
                return Optional.of(
                        deny("policy.failed", "The call could not be decided, so it is denied."));
            }
            return late
                    ? Optional.of(
                            deny(
                                    "policy.unavailable",
                                    "Nobody is there to decide about the call, so it is denied."))
                    : Optional.empty();
        } catch (RuntimeException | LinkageError e) {
            return Optional.of(
                    deny(
                            "policy.failed",
                            "The decision failed unexpectedly, so the call is denied."));
        }
    }

    /** Whoever says at once that nobody is there must not be asked without a break. */
    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Halt("interrupted");
        }
    }

    /**
     * Nobody can be asked yet, so a call that needs a person's word is refused rather than left
     * waiting for ever.
     */
    private static ToolAnswer failClosed(ToolAnswer answer) {
        if (answer.verdict() != Verdict.APPROVAL_REQUIRED) {
            return answer;
        }
        return new ToolAnswer(
                Verdict.DENY,
                "approval.unavailable",
                "A person would have to approve this call, and nobody can be asked here.",
                answer.source(),
                answer.policyIds(),
                answer.snapshotJson(),
                answer.policy());
    }

    private static ToolAnswer deny(String code, String reason) {
        return new ToolAnswer(Verdict.DENY, code, reason, ENGINE, List.of(), NO_SNAPSHOT);
    }
}
