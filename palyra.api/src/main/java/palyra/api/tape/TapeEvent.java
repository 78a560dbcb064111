package palyra.api.tape;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.Require;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tool.ToolImage;

/**
 * The content of one record of a run's tape. The record components are the payload's JSON members,
 * by name.
 *
 * <p>All but {@link ExternalEvent}, {@link ApprovalVoted} and {@link ApprovalDecision} are written
 * by the run engine alone, under its epoch. A reader that meets a type it does not know gets {@link
 * Unknown} and must not guess.
 *
 * <p>Turns count from 1 within a run; attempts count from 1 within a turn or call. Absent texts are
 * empty, never null.
 */
public sealed interface TapeEvent {
    /** The author of a {@link Message}. */
    enum Role {
        /** A user or another system. */
        USER,
        /** The agent: the run's final answer. */
        AGENT,
        /** The operator or the agent's author. */
        SYSTEM
    }

    /** The decision about a proposed call. */
    enum Verdict {
        /** It may start. */
        ALLOW,
        /** It may not start; the reason goes to the model. */
        DENY,
        /** It may start once approved. */
        APPROVAL_REQUIRED
    }

    /** How a call ended. */
    enum Outcome {
        /** The tool did what was asked. */
        SUCCEEDED,
        /** The tool said it failed. */
        FAILED,
        /** It was never started: policy, a person or a budget said no. */
        DENIED,
        /** Its deadline passed and it was stopped. */
        TIMED_OUT,
        /** It was stopped because the run was cancelled. */
        CANCELLED,
        /** It was started, then lost; whether it took effect is not known. */
        INTERRUPTED
    }

    /**
     * Something said: the first record that a person wrote, or the final answer.
     *
     * @param role who speaks
     * @param text what was said; secrets in it are placeholders, as docs/secrets.md says
     * @param principal the responsible principal
     * @param surface where it came in or goes out, such as {@code shell}
     * @param messageId ULID of the inbox or outbox entry
     */
    record Message(Role role, String text, String principal, String surface, String messageId)
            implements TapeEvent {
        /** Checks. */
        public Message {
            Require.present(role, "role");
            text = Require.orEmpty(text);
            principal = Require.orEmpty(principal);
            surface = Require.orEmpty(surface);
            messageId = Require.orEmpty(messageId);
        }
    }

    /**
     * A model is about to be asked.
     *
     * @param agentId agent that the run belongs to
     * @param provider id of the model provider
     * @param model model name within the provider; empty means its default
     * @param requestSha256 digest of the request as canonical JSON, lower-case hex
     * @param catalogueSha256 digest of the tools on offer, lower-case hex
     * @param systemPromptSha256 digest of the agent's system prompt, lower-case hex; empty when it
     *     has none
     * @param toolBudgetLeft calls that the run may still make
     * @param contextSeq last record that the request was made from: an external event after it is
     *     not part of this attempt
     * @param modelProfile name of the model profile that chose provider and model; empty for none
     * @param promptProfile name of the prompt profile that the instructions are from; empty for
     *     none
     * @param leftOut one sentence about what of the conversation was left out or shortened to fit
     *     the model's window; empty when all of it was shown
     * @param windowTokens tokens that the conversation was held to because the model had found it
     *     too long; 0 when it had not
     * @param reservationId what was reserved in budgets for this attempt, as the journal knows it;
     *     empty when no budget applies
     * @param reservedTokens tokens reserved; 0 without a reservation
     * @param reservedCostMicros money reserved, in millionths; 0 without a price
     */
    record TurnStarted(
            int turn,
            int attempt,
            String agentId,
            String provider,
            String model,
            String requestSha256,
            String catalogueSha256,
            String systemPromptSha256,
            int toolBudgetLeft,
            long contextSeq,
            String modelProfile,
            String promptProfile,
            String leftOut,
            long windowTokens,
            String reservationId,
            long reservedTokens,
            long reservedCostMicros)
            implements TapeEvent {
        /** Creates one of an attempt without profiles, omissions and budgets. */
        public TurnStarted(
                int turn,
                int attempt,
                String agentId,
                String provider,
                String model,
                String requestSha256,
                String catalogueSha256,
                String systemPromptSha256,
                int toolBudgetLeft,
                long contextSeq) {
            this(
                    turn,
                    attempt,
                    agentId,
                    provider,
                    model,
                    requestSha256,
                    catalogueSha256,
                    systemPromptSha256,
                    toolBudgetLeft,
                    contextSeq,
                    "",
                    "",
                    "",
                    0,
                    "",
                    0,
                    0);
        }

        /** Checks. */
        public TurnStarted {
            agentId = Require.orEmpty(agentId);
            provider = Require.orEmpty(provider);
            model = Require.orEmpty(model);
            requestSha256 = Require.orEmpty(requestSha256);
            catalogueSha256 = Require.orEmpty(catalogueSha256);
            systemPromptSha256 = Require.orEmpty(systemPromptSha256);
            modelProfile = Require.orEmpty(modelProfile);
            promptProfile = Require.orEmpty(promptProfile);
            leftOut = Require.orEmpty(leftOut);
            reservationId = Require.orEmpty(reservationId);
        }
    }

    /**
     * A piece of the answer as it was streamed. The pieces of the last attempt, joined, are the
     * text of {@link TurnFinished}.
     */
    record ModelToken(int turn, int attempt, String text) implements TapeEvent {
        /** Checks. */
        public ModelToken {
            text = Require.orEmpty(text);
        }
    }

    /** A piece of what the model thought. */
    record ModelThought(int turn, int attempt, String text) implements TapeEvent {
        /** Checks. */
        public ModelThought {
            text = Require.orEmpty(text);
        }
    }

    /**
     * The attempt before {@code attempt} was lost; clients drop what it streamed.
     *
     * @param attempt number of the attempt that now begins
     */
    record TurnRestarted(int turn, int attempt, String reason) implements TapeEvent {
        /** Checks. */
        public TurnRestarted {
            reason = Require.orEmpty(reason);
        }
    }

    /**
     * A turn is complete. No proposal of it acts before this record is durable.
     *
     * @param text the whole text of the turn
     * @param finishReason the provider's word for why it ended
     * @param proposals proposed calls in order, with their ids
     * @param counting where the numbers that count in budgets are from: {@code provider}, or {@code
     *     reservation} when the provider did not count; empty, as all after it, when no price and
     *     no budget applied and nothing was cached
     * @param cachedInputTokens tokens read that the provider had cached
     * @param costMicros what the turn cost, in millionths of {@code currency}
     * @param currency such as {@code USD}; empty when there was no price
     */
    record TurnFinished(
            int turn,
            int attempt,
            String text,
            String finishReason,
            List<ToolProposal> proposals,
            long inputTokens,
            long outputTokens,
            String counting,
            long cachedInputTokens,
            long costMicros,
            String currency)
            implements TapeEvent {
        /** Creates one of a turn that costs nothing. */
        public TurnFinished(
                int turn,
                int attempt,
                String text,
                String finishReason,
                List<ToolProposal> proposals,
                long inputTokens,
                long outputTokens) {
            this(
                    turn,
                    attempt,
                    text,
                    finishReason,
                    proposals,
                    inputTokens,
                    outputTokens,
                    "",
                    0,
                    0,
                    "");
        }

        /** Checks and copies. */
        public TurnFinished {
            text = Require.orEmpty(text);
            finishReason = Require.orEmpty(finishReason);
            proposals = proposals == null ? List.of() : List.copyOf(proposals);
            counting = Require.orEmpty(counting);
            currency = Require.orEmpty(currency);
        }
    }

    /**
     * One proposed call, as its own record so that it can be followed. {@code index} counts from 0
     * within the turn.
     */
    record ToolCallProposal(String callId, int turn, int index, String tool, String inputJson)
            implements TapeEvent {
        /** Checks. */
        public ToolCallProposal {
            Require.text(callId, "call id");
            tool = Require.orEmpty(tool);
            inputJson = Require.orEmpty(inputJson);
        }
    }

    /**
     * What was decided about a call, before anything happens.
     *
     * @param verdict the decision
     * @param reasonCode short machine-readable reason, such as {@code tool.not_allowlisted}
     * @param reason one sentence that the model may see
     * @param source what decided: {@code BUILT_IN_RULES}, {@code POLICY}
     * @param policyIds ids of the rules or policies that determined it
     * @param snapshotSha256 digest of the policy snapshot in force, lower-case hex
     * @param setSha256 digest of the policy set that decided, lower-case hex; empty, as everything
     *     after it, unless policies decided
     * @param operatorReason why, for operators; the model never sees it
     * @param missing conditions, in Cedar's syntax, that would have to hold for an allow; the model
     *     never sees them
     * @param tier kind of sandbox that an allowed call needs: {@code A}, {@code B}, {@code C}
     * @param egress how the network is kept from it: {@code NONE}, {@code PREFLIGHT}, {@code
     *     STRICT}
     * @param confirmation what the native engine said: {@code NOT_NEEDED}, {@code CONFIRMED},
     *     {@code REFUSED}, {@code ABSENT}
     * @param evidenceJson the policy request as it was decided, a JSON object as text: enough to
     *     decide it again; never holds the call's input
     * @param factsSha256 digest of what the call would do, as it was found out before the decision,
     *     lower-case hex; empty when its input says nothing about the world outside
     * @param grantId grant under which it is allowed; empty when no approval was needed
     * @param approvedBy principals that gave that grant
     */
    record ToolDecision(
            String callId,
            String tool,
            Verdict verdict,
            String reasonCode,
            String reason,
            String source,
            List<String> policyIds,
            String snapshotSha256,
            String setSha256,
            String operatorReason,
            List<String> missing,
            String tier,
            String egress,
            String confirmation,
            String evidenceJson,
            String factsSha256,
            String grantId,
            List<String> approvedBy)
            implements TapeEvent {
        /** Checks and copies. */
        public ToolDecision {
            Require.text(callId, "call id");
            Require.present(verdict, "verdict");
            tool = Require.orEmpty(tool);
            reasonCode = Require.orEmpty(reasonCode);
            reason = Require.orEmpty(reason);
            source = Require.orEmpty(source);
            policyIds = policyIds == null ? List.of() : List.copyOf(policyIds);
            snapshotSha256 = Require.orEmpty(snapshotSha256);
            setSha256 = Require.orEmpty(setSha256);
            operatorReason = Require.orEmpty(operatorReason);
            missing = missing == null ? List.of() : List.copyOf(missing);
            tier = Require.orEmpty(tier);
            egress = Require.orEmpty(egress);
            confirmation = Require.orEmpty(confirmation);
            evidenceJson = Require.orEmpty(evidenceJson);
            factsSha256 = Require.orEmpty(factsSha256);
            grantId = Require.orEmpty(grantId);
            approvedBy = approvedBy == null ? List.of() : List.copyOf(approvedBy);
        }

        /** Creates a decision that needed no approval. */
        public ToolDecision(
                String callId,
                String tool,
                Verdict verdict,
                String reasonCode,
                String reason,
                String source,
                List<String> policyIds,
                String snapshotSha256,
                String setSha256,
                String operatorReason,
                List<String> missing,
                String tier,
                String egress,
                String confirmation,
                String evidenceJson,
                String factsSha256) {
            this(
                    callId,
                    tool,
                    verdict,
                    reasonCode,
                    reason,
                    source,
                    policyIds,
                    snapshotSha256,
                    setSha256,
                    operatorReason,
                    missing,
                    tier,
                    egress,
                    confirmation,
                    evidenceJson,
                    factsSha256,
                    "",
                    List.of());
        }

        /** Creates a decision that no policies took part in. */
        public ToolDecision(
                String callId,
                String tool,
                Verdict verdict,
                String reasonCode,
                String reason,
                String source,
                List<String> policyIds,
                String snapshotSha256) {
            this(
                    callId,
                    tool,
                    verdict,
                    reasonCode,
                    reason,
                    source,
                    policyIds,
                    snapshotSha256,
                    "",
                    "",
                    List.of(),
                    "",
                    "",
                    "",
                    "",
                    "");
        }
    }

    /**
     * A person is asked.
     *
     * @param detailsJson the approval request, a JSON object as text; {@code
     *     palyra.shared.approval}
     * @param expiresAtMillis unix time in milliseconds after which the answer is no
     * @param bindingSha256 digest of what exactly is asked about, lower-case hex: an approval of
     *     anything else is no approval of this
     * @param quorum how many different users must approve
     */
    record ApprovalRequest(
            String approvalId,
            String callId,
            String detailsJson,
            long expiresAtMillis,
            String bindingSha256,
            int quorum)
            implements TapeEvent {
        /** Checks. */
        public ApprovalRequest {
            Require.text(approvalId, "approval id");
            Require.text(callId, "call id");
            detailsJson = Require.orEmpty(detailsJson);
            bindingSha256 = Require.orEmpty(bindingSha256);
        }
    }

    /**
     * One of several required users approved; the last approval is an {@link ApprovalDecision} as
     * well.
     *
     * @param principal who said it
     * @param votes how many have, this one included
     * @param quorum how many must
     */
    record ApprovalVoted(
            String approvalId,
            String callId,
            String principal,
            String scope,
            String reason,
            int votes,
            int quorum)
            implements TapeEvent {
        /** Checks. */
        public ApprovalVoted {
            Require.text(approvalId, "approval id");
            Require.text(callId, "call id");
            Require.text(principal, "principal");
            scope = Require.orEmpty(scope);
            reason = Require.orEmpty(reason);
        }
    }

    /**
     * A person answered, or the request expired ({@code granted} is false then and {@code
     * decidedBy} empty).
     *
     * @param scope how far a yes reaches: {@code once}, {@code session}, {@code timeboxed:ms};
     *     empty for a no
     * @param shape how alike later calls must be: {@code exact}, {@code pattern}; empty for a no
     * @param grantId the grant that a yes makes; empty for a no
     * @param approvedBy principals that approved; empty for a denial
     */
    record ApprovalDecision(
            String approvalId,
            String callId,
            boolean granted,
            String scope,
            String decidedBy,
            String reason,
            String shape,
            String grantId,
            List<String> approvedBy)
            implements TapeEvent {
        /** Checks and copies. */
        public ApprovalDecision {
            Require.text(approvalId, "approval id");
            Require.text(callId, "call id");
            scope = Require.orEmpty(scope);
            decidedBy = Require.orEmpty(decidedBy);
            reason = Require.orEmpty(reason);
            shape = Require.orEmpty(shape);
            grantId = Require.orEmpty(grantId);
            approvedBy = approvedBy == null ? List.of() : List.copyOf(approvedBy);
        }

        /** Returns the decision of an approval request that expired without an answer. */
        public static ApprovalDecision expired(String approvalId, String callId) {
            return new ApprovalDecision(
                    approvalId,
                    callId,
                    false,
                    "",
                    "",
                    "The approval request expired without an answer, so the call is denied.",
                    "",
                    "",
                    List.of());
        }
    }

    /**
     * A call is about to start. After a crash, this record without an output means that it may have
     * taken effect.
     *
     * @param grantId grant that this start uses; empty when no approval was needed
     */
    record ToolStarted(String callId, int attempt, String tool, String inputSha256, String grantId)
            implements TapeEvent {
        /** Checks. */
        public ToolStarted {
            Require.text(callId, "call id");
            tool = Require.orEmpty(tool);
            inputSha256 = Require.orEmpty(inputSha256);
            grantId = Require.orEmpty(grantId);
        }

        /** Creates a start that needs no grant. */
        public ToolStarted(String callId, int attempt, String tool, String inputSha256) {
            this(callId, attempt, tool, inputSha256, "");
        }
    }

    /**
     * How a call ended, with the output for the model. Exactly one for each proposal.
     *
     * @param images images of the output, with their bytes
     */
    record ToolCallOutput(
            String callId,
            int attempt,
            String tool,
            Outcome outcome,
            String outputJson,
            String error,
            List<ToolImage> images)
            implements TapeEvent {
        /** Creates one without images. */
        public ToolCallOutput(
                String callId,
                int attempt,
                String tool,
                Outcome outcome,
                String outputJson,
                String error) {
            this(callId, attempt, tool, outcome, outputJson, error, List.of());
        }

        /** Checks. */
        public ToolCallOutput {
            Require.text(callId, "call id");
            Require.present(outcome, "outcome");
            tool = Require.orEmpty(tool);
            outputJson = Require.orEmpty(outputJson);
            error = Require.orEmpty(error);
            images = images == null ? List.of() : List.copyOf(images);
        }
    }

    /**
     * Signed statement of what was executed; follows its {@link ToolCallOutput}. The digest is over
     * tag {@code palyra.tool.attestation.v2}, or v3 for an output with images, see {@code
     * palyra.shared.tape.Attestations}.
     *
     * @param executor what ran it, such as {@code builtin}
     * @param sandboxEnforcement first the mode ({@code none}, {@code preflight}, {@code strict}),
     *     then {@code key=value} facts
     * @param policySha256 digest of the policy snapshot of its decision
     * @param executableSha256 digest of the module or executable; empty for built-in tools
     * @param executionSha256 lower-case hex
     * @param keyId id of the signing key
     * @param signature Ed25519 over the raw digest, base64url without padding
     */
    record ToolAttestation(
            String attestationId,
            String callId,
            String executor,
            String sandboxEnforcement,
            long executedAtMillis,
            boolean timedOut,
            String policySha256,
            String executableSha256,
            String executionSha256,
            String keyId,
            String signature)
            implements TapeEvent {
        /** Checks. */
        public ToolAttestation {
            Require.text(attestationId, "attestation id");
            Require.text(callId, "call id");
            executor = Require.orEmpty(executor);
            sandboxEnforcement = Require.orEmpty(sandboxEnforcement);
            policySha256 = Require.orEmpty(policySha256);
            executableSha256 = Require.orEmpty(executableSha256);
            executionSha256 = Require.orEmpty(executionSha256);
            keyId = Require.orEmpty(keyId);
            signature = Require.orEmpty(signature);
        }
    }

    /**
     * The run moved on. The first record of every run says {@code ACCEPTED}.
     *
     * @param state the new state
     * @param code why, when the state is FAILED; null otherwise
     * @param reason one sentence; empty when there is nothing to say
     */
    record RunStateChanged(RunState state, ErrorCode code, String reason) implements TapeEvent {
        /** Checks. */
        public RunStateChanged {
            Require.present(state, "state");
            reason = Require.orEmpty(reason);
        }
    }

    /**
     * Something that a client put on the tape. It is context for the model and can never count as a
     * decision.
     *
     * @param eventId ULID given by the client
     * @param kind what it is, such as {@code note}
     * @param principal who appended it, as established from the credential
     * @param contentJson the content exactly as it came: JSON text, strictly parsed once
     * @param actor what the client says caused it, {@value #USER} or {@value #PLUGIN}; empty when
     *     it did not say. A claim of the client, where {@code principal} is proved
     */
    record ExternalEvent(
            String eventId, String kind, String principal, String contentJson, String actor)
            implements TapeEvent {
        /** A person caused it. */
        public static final String USER = "user";

        /** A program beside the gateway caused it. */
        public static final String PLUGIN = "plugin";

        /** Makes an event of which the client did not say what caused it. */
        public ExternalEvent(String eventId, String kind, String principal, String contentJson) {
            this(eventId, kind, principal, contentJson, "");
        }

        /** Checks. */
        public ExternalEvent {
            Require.text(eventId, "event id");
            Require.text(kind, "event kind");
            principal = Require.orEmpty(principal);
            contentJson = Require.orEmpty(contentJson);
            actor = Require.orEmpty(actor);
        }
    }

    /** A record of a type or schema that this reader does not know. */
    record Unknown(String type, int schema) implements TapeEvent {
        /** Checks. */
        public Unknown {
            Require.text(type, "record type");
        }
    }
}
