package palyra.transport.grpc.internal.service;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeEvent;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.PairingApprovals;

/** A question as an engine asks it. */
final class AskedQuestion {
    static final String BINDING = "ab".repeat(32);

    private AskedQuestion() {}

    static ApprovalRequestBody of(
            TapeRun run, String principal, String call, String id, long expiresAt) {
        return of(run, principal, "", call, id, expiresAt);
    }

    /** {@code starter} is empty for a question that the run's principal may answer too. */
    private static ApprovalRequestBody of(
            TapeRun run, String principal, String starter, String call, String id, long expiresAt) {
        return new ApprovalRequestBody(
                id,
                "TOOL",
                "tool:process.run",
                1,
                "git log",
                new ApprovalRequestBody.Origin(
                        run.sessionId, run.runId, call, "default", principal, "", "", starter),
                new ApprovalRequestBody.Call(
                        "process.run",
                        "{\"argv\":[\"git\",\"log\"]}",
                        BINDING,
                        "",
                        "/usr/bin/git",
                        "",
                        "/work",
                        List.of("git", "log"),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of("vault:global/token"),
                        List.of(),
                        "C",
                        "STRICT",
                        "",
                        "",
                        List.of()),
                new ApprovalRequestBody.Pattern("git log here", "{}", List.of(), List.of()),
                new ApprovalRequestBody.Terms(
                        List.of("group:approver", "group:operator"),
                        !starter.isEmpty(),
                        List.of("ONCE", "SESSION", "TIMEBOXED"),
                        1,
                        List.of(),
                        0),
                new ApprovalRequestBody.Policy(
                        List.of("ask_first"), "01".repeat(32), "", "a forbid asks"),
                new ApprovalRequestBody.Prompt(
                        "Run git?", "HIGH", "git log", "it writes", 900, options()),
                1_000,
                expiresAt);
    }

    private static List<ApprovalRequestBody.Option> options() {
        List<ApprovalRequestBody.Option> options = new ArrayList<>();
        options.add(option("allow_once", "ONCE", "EXACT"));
        options.add(option("allow_session", "SESSION", "EXACT"));
        options.add(option("allow_session_pattern", "SESSION", "PATTERN"));
        options.add(option("allow_timeboxed", "TIMEBOXED", "EXACT"));
        options.add(
                new ApprovalRequestBody.Option(
                        "deny_once", "No", "", true, false, "ONCE", "EXACT", 0));
        return options;
    }

    private static ApprovalRequestBody.Option option(String id, String scope, String shape) {
        return new ApprovalRequestBody.Option(
                id, id, "covers " + scope + " " + shape, false, true, scope, shape, 0);
    }

    /** Puts a proposal and a question on the tape and returns the question's id. */
    static String ask(TapeRun run, String principal, String call, long expiresAtMillis) {
        return ask(run, principal, "", call, expiresAtMillis);
    }

    /** Asks others than the run's principal and the one whose credential started the run. */
    static String askOthers(
            TapeRun run, String principal, String starter, String call, long expiresAtMillis) {
        return ask(run, principal, starter, call, expiresAtMillis);
    }

    /** Asks about a sender, as channels do, and returns the question's id. */
    static String askAboutSender(Journal journal) {
        String id = Ids.next();
        long expires = System.currentTimeMillis() + 3_600_000;
        ApprovalRequestBody question =
                new ApprovalRequestBody(
                        id,
                        PairingApprovals.SUBJECT_TYPE,
                        PairingApprovals.subjectId("fake:main", "ann"),
                        1,
                        "answer ann",
                        new ApprovalRequestBody.Origin(
                                "", "", "", "", "user:fake:main:ann", "", "fake:main"),
                        null,
                        null,
                        new ApprovalRequestBody.Terms(
                                List.of("action:channel.pair"),
                                false,
                                List.of("ONCE"),
                                1,
                                List.of(),
                                0),
                        new ApprovalRequestBody.Policy(List.of(), "", "", "asks"),
                        new ApprovalRequestBody.Prompt(
                                "Answer?", "MEDIUM", "ann", "why", 600, options()),
                        1_000,
                        expires);
        journal.commit(
                Unit.of(
                        new Operation.PutApproval(
                                ApprovalRow.asked(
                                        id,
                                        "",
                                        "",
                                        "",
                                        "user:fake:main:ann",
                                        question.subjectType(),
                                        question.subjectId(),
                                        ApprovalRequestCodec.bytes(question),
                                        1,
                                        expires,
                                        0))));
        return id;
    }

    private static String ask(
            TapeRun run, String principal, String starter, String call, long expiresAtMillis) {
        String id = Ids.next();
        ApprovalRequestBody question = of(run, principal, starter, call, id, expiresAtMillis);
        run.write(new TapeEvent.ToolCallProposal(call, 1, 0, "process.run", "{\"argv\":[\"ls\"]}"));
        run.commit(
                List.of(
                        new Operation.PutApproval(
                                ApprovalRow.asked(
                                        id,
                                        run.runId,
                                        call,
                                        run.sessionId,
                                        principal,
                                        "TOOL",
                                        "tool:process.run",
                                        ApprovalRequestCodec.bytes(question),
                                        1,
                                        expiresAtMillis,
                                        0)),
                        run.append(
                                new TapeEvent.ApprovalRequest(
                                        id,
                                        call,
                                        ApprovalRequestCodec.text(question),
                                        expiresAtMillis,
                                        BINDING,
                                        1))));
        return id;
    }
}
