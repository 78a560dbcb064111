package palyra.gateway.internal.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Access;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.access.ToolQuestion;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.fold.Call;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;

/**
 * Asks whether a proposed call may happen. What cannot be asked is refused: malformed or oversized
 * input before the question, and every call when nobody answered in time.
 */
final class ToolDecider {
    private static final long SLICE_MILLIS = 250;
    private static final String ENGINE = "ENGINE";
    private static final String NO_SNAPSHOT = "{}";

    private final Gate<Access> access;
    private final WorkerFlags flags;

    ToolDecider(Gate<Access> access, WorkerFlags flags) {
        this.access = access;
        this.flags = flags;
    }

    /**
     * Decides one call.
     *
     * @param descriptor the tool; null when nobody offers it
     * @param budgetLeft calls that the run may still make, this one included
     * @return the answer; empty when a flag was raised meanwhile
     */
    Optional<ToolAnswer> decide(
            RunContext run,
            Call call,
            ToolDescriptor descriptor,
            int budgetLeft,
            EngineSettings settings) {
        Optional<ToolAnswer> unusable = refuseInput(call, descriptor);
        if (unusable.isPresent()) {
            return unusable;
        }
        ToolQuestion question =
                new ToolQuestion(
                        run.principal(),
                        run.agent().agentId(),
                        run.agent().test(),
                        run.runId(),
                        run.sessionId(),
                        call.callId(),
                        call.proposal().tool(),
                        descriptor,
                        call.proposal().inputJson(),
                        Set.copyOf(run.agent().tools()),
                        budgetLeft,
                        settings.maxCallsPerRun());
        return ask(question, settings);
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

    private Optional<ToolAnswer> ask(ToolQuestion question, EngineSettings settings) {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unavailableWaitMillis());
        while (!flags.raised()) {
            try (Gate.Lease<Access> lease = access.lease(SLICE_MILLIS)) {
                return Optional.of(failClosed(lease.service().decideTool(question)));
            } catch (PalyraException e) {
                if (e.code().kind() != ErrorCode.Kind.UNAVAILABLE) {
                    return Optional.of(
                            deny(
                                    "policy.failed",
                                    "The call could not be decided, so it is denied."));
                }
                if (System.nanoTime() >= deadline) {
                    return Optional.of(
                            deny(
                                    "policy.unavailable",
                                    "Nobody is there to decide about the call, so it is denied."));
                }
            } catch (RuntimeException e) {
                return Optional.of(
                        deny(
                                "policy.failed",
                                "The decision failed unexpectedly, so the call is denied."));
            }
        }
        return Optional.empty();
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
                answer.snapshotJson());
    }

    private static ToolAnswer deny(String code, String reason) {
        return new ToolAnswer(Verdict.DENY, code, reason, ENGINE, List.of(), NO_SNAPSHOT);
    }
}
