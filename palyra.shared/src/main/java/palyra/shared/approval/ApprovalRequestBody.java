package palyra.shared.approval;

import java.util.List;
import palyra.api.Require;

/**
 * An approval request: everything that a person is shown and everything that an answer is checked
 * against, fixed when the request is made. It is the {@code detailsJson} of an {@code
 * approval_request} record and the payload of the stored question; see {@link
 * ApprovalRequestCodec}. Lists are sorted where their order means nothing.
 *
 * @param approvalId ULID
 * @param subjectType {@code TOOL} or another word of {@code palyra.api.approval.ApprovalSubject}
 * @param subjectId such as {@code tool:palyra.process.run}
 * @param ask which question about the same call this is, from 1
 * @param requestSummary what would happen, in one line of at most 1,024 bytes
 * @param origin where it comes from
 * @param call what exactly is asked about; null when it is about a sender who wants to be answered
 * @param pattern what may be allowed together; null when the call has no pattern
 * @param terms who may answer and how far
 * @param policy why it is asked
 * @param prompt what a person reads
 * @param askedAtMillis unix time in milliseconds
 * @param expiresAtMillis unix time in milliseconds after which the answer is no
 */
public record ApprovalRequestBody(
        String approvalId,
        String subjectType,
        String subjectId,
        int ask,
        String requestSummary,
        Origin origin,
        Call call,
        Pattern pattern,
        Terms terms,
        Policy policy,
        Prompt prompt,
        long askedAtMillis,
        long expiresAtMillis) {
    /** Checks. */
    public ApprovalRequestBody {
        Require.text(approvalId, "approval id");
        Require.text(subjectType, "subject type");
        Require.text(subjectId, "subject id");
        requestSummary = Require.orEmpty(requestSummary);
        Require.present(origin, "origin");
        Require.that(
                (call == null) == origin.runId().isEmpty(),
                "a question is about a call of a run, or about neither");
        Require.present(terms, "terms");
        Require.present(policy, "policy");
        Require.present(prompt, "prompt");
    }

    /**
     * Returns the question with the times that hold now: the journal moves its end when the
     * system's clock jumps, and what happens before the end moves along.
     *
     * @param endsAtMillis its end as the journal has it, unix time in milliseconds
     */
    public ApprovalRequestBody endingAt(long endsAtMillis) {
        return new ApprovalRequestBody(
                approvalId,
                subjectType,
                subjectId,
                ask,
                requestSummary,
                origin,
                call,
                pattern,
                terms.moved(endsAtMillis - expiresAtMillis),
                policy,
                prompt,
                askedAtMillis,
                endsAtMillis);
    }

    /**
     * Origin of a request. Absent texts are empty; run and call are for a question about a pairing.
     *
     * @param person principal whose credential started the run: the principal itself, or the one
     *     that spoke for it; a form without it means the principal itself
     */
    public record Origin(
            String sessionId,
            String runId,
            String callId,
            String agentId,
            String principal,
            String deviceId,
            String channel,
            String person) {
        /** Checks. */
        public Origin {
            sessionId = Require.orEmpty(sessionId);
            runId = Require.orEmpty(runId);
            callId = Require.orEmpty(callId);
            Require.that(
                    runId.isEmpty() == callId.isEmpty(),
                    "a question has a run and a call, or none");
            agentId = Require.orEmpty(agentId);
            Require.text(principal, "principal");
            deviceId = Require.orEmpty(deviceId);
            channel = Require.orEmpty(channel);
            person = Require.orEmpty(person).isEmpty() ? principal : person;
        }

        /** Creates the origin of a run that its principal started with its own credential. */
        public Origin(
                String sessionId,
                String runId,
                String callId,
                String agentId,
                String principal,
                String deviceId,
                String channel) {
            this(sessionId, runId, callId, agentId, principal, deviceId, channel, principal);
        }

        /** Returns whether one of two names of a voter is one of those behind the run. */
        public boolean isBehind(String voter, String voterPerson) {
            return List.of(principal, person).contains(voter)
                    || List.of(principal, person).contains(voterPerson);
        }
    }

    /**
     * The call that the request is about.
     *
     * @param inputJson the input as the model wrote it
     * @param bindingSha256 see {@link Binding}
     * @param factsSha256 digest of what the call would do
     * @param executable absolute real path of the program; empty when none is started
     * @param executableSha256 its digest; empty when none is started
     * @param workingFolder where it would start; empty when none is started
     * @param argv the words of the command; empty when none is started
     * @param tier {@code A}, {@code B} or {@code C}
     * @param egress {@code NONE}, {@code PREFLIGHT} or {@code STRICT}
     * @param onceOnly why it may be allowed for this call only; empty when for longer
     * @param workspaceSha256 digest of what the workspace held when the question was asked; empty
     *     when the call depends on none. A yes for this call only counts for no other state
     * @param running ids of what ran in the workspace then, and may change it afterwards
     */
    public record Call(
            String tool,
            String inputJson,
            String bindingSha256,
            String factsSha256,
            String executable,
            String executableSha256,
            String workingFolder,
            List<String> argv,
            List<String> hosts,
            List<String> readPaths,
            List<String> writePaths,
            List<String> secrets,
            List<String> capabilities,
            String tier,
            String egress,
            String onceOnly,
            String workspaceSha256,
            List<String> running) {
        /** Checks and copies. */
        public Call {
            Require.text(tool, "tool");
            Require.text(bindingSha256, "binding");
            inputJson = Require.orEmpty(inputJson);
            factsSha256 = Require.orEmpty(factsSha256);
            executable = Require.orEmpty(executable);
            executableSha256 = Require.orEmpty(executableSha256);
            workingFolder = Require.orEmpty(workingFolder);
            argv = List.copyOf(argv);
            hosts = List.copyOf(hosts);
            readPaths = List.copyOf(readPaths);
            writePaths = List.copyOf(writePaths);
            secrets = List.copyOf(secrets);
            capabilities = List.copyOf(capabilities);
            Require.text(tier, "tier");
            Require.text(egress, "egress mode");
            onceOnly = Require.orEmpty(onceOnly);
            workspaceSha256 = Require.orEmpty(workspaceSha256);
            running = running == null ? List.of() : List.copyOf(running); // not in older questions
        }
    }

    /** The pattern of covered calls; see {@code palyra.api.core.tools.CallPattern}. */
    public record Pattern(String sentence, String fixed, List<String> options, List<String> hosts) {
        /** Checks and copies. */
        public Pattern {
            Require.text(sentence, "sentence");
            Require.text(fixed, "fixed part");
            options = List.copyOf(options);
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * Approvers of the request, and the limits of a yes.
     *
     * @param approvers groups ({@code group:NAME}) and principals; for a pairing the action that
     *     policy decides about ({@code action:channel.pair})
     * @param others whether the principal of the run may not answer
     * @param scopes words of {@code palyra.api.approval.ApprovalScope}
     * @param escalateTo who may answer as well once the question was escalated
     * @param escalateAtMillis unix time in milliseconds when it is; 0 for never
     */
    public record Terms(
            List<String> approvers,
            boolean others,
            List<String> scopes,
            int quorum,
            List<String> escalateTo,
            long escalateAtMillis) {
        /** Checks and copies. */
        public Terms {
            approvers = List.copyOf(approvers);
            scopes = List.copyOf(scopes);
            escalateTo = List.copyOf(escalateTo);
            Require.that(!approvers.isEmpty(), "a question needs at least one approver");
            Require.that(quorum >= 1, "a quorum of " + quorum + " was asked for: use 1 or more");
        }

        private Terms moved(long byMillis) {
            long at = escalateAtMillis == 0 ? 0 : Math.max(1, escalateAtMillis + byMillis);
            return new Terms(approvers, others, scopes, quorum, escalateTo, at);
        }
    }

    /** Why a question is asked: policies, digest of their set, the sentence they say. */
    public record Policy(
            List<String> policyIds, String setSha256, String snapshotSha256, String summary) {
        /** Checks and copies. */
        public Policy {
            policyIds = List.copyOf(policyIds);
            setSha256 = Require.orEmpty(setSha256);
            snapshotSha256 = Require.orEmpty(snapshotSha256);
            summary = Require.orEmpty(summary);
        }
    }

    /**
     * Texts for the approver.
     *
     * @param risk word of {@code palyra.api.approval.RiskLevel}
     * @param summary several lines of plain text
     * @param explanation why policy asks
     */
    public record Prompt(
            String title,
            String risk,
            String summary,
            String explanation,
            int timeoutSeconds,
            List<Option> options) {
        /** Checks and copies. */
        public Prompt {
            Require.text(title, "title");
            Require.text(risk, "risk level");
            summary = Require.orEmpty(summary);
            explanation = Require.orEmpty(explanation);
            options = List.copyOf(options);
        }
    }

    /** One way to answer; see {@code palyra.api.approval.ApprovalOption}. */
    public record Option(
            String optionId,
            String label,
            String description,
            boolean defaultSelected,
            boolean granted,
            String scope,
            String shape,
            long ttlMillis) {
        /** Checks. */
        public Option {
            Require.text(optionId, "option id");
            Require.text(label, "label");
            description = Require.orEmpty(description);
            Require.text(scope, "scope");
            Require.text(shape, "shape");
        }
    }
}
