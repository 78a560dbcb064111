package palyra.front.internal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeEvent;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;

/** Questions as an engine asks them. */
final class Questions {
    static final long FAR = 4_000_000_000_000L;
    static final String BINDING = "ab".repeat(32);
    static final List<String> ANYBODY = List.of("group:approver", "group:operator");
    private static final Ulids IDS = new Ulids();

    /** What differs from question to question; change what a test is about. */
    String approvalId = IDS.next();

    List<String> approvers = ANYBODY;
    List<String> scopes = List.of("ONCE", "SESSION", "TIMEBOXED");
    List<String> escalateTo = List.of();
    long escalateAtMillis;
    boolean others;
    String person = ""; // empty for the run's principal
    int quorum = 1;
    long expiresAtMillis = FAR;
    String onceOnly = "";
    ApprovalRequestBody.Pattern pattern =
            new ApprovalRequestBody.Pattern(
                    "git log of this folder", "{\"git\":1}", List.of("-n"), List.of());

    static Questions ask() {
        return new Questions();
    }

    Questions by(String... who) {
        approvers = List.of(who);
        return this;
    }

    Questions quorum(int people) {
        quorum = people;
        return this;
    }

    Questions expires(long atMillis) {
        expiresAtMillis = atMillis;
        return this;
    }

    Questions others() {
        others = true;
        return this;
    }

    Questions startedBy(String name) {
        person = name;
        return this;
    }

    Questions escalates(long atMillis, String... who) {
        escalateAtMillis = atMillis;
        escalateTo = List.of(who);
        return this;
    }

    Questions scopes(String... words) {
        scopes = List.of(words);
        return this;
    }

    Questions onceOnly(String why) {
        onceOnly = why;
        scopes = List.of("ONCE");
        return this;
    }

    Questions withoutPattern() {
        pattern = null;
        return this;
    }

    ApprovalRequestBody of(TestRun run) {
        return new ApprovalRequestBody(
                approvalId,
                "TOOL",
                "tool:palyra.process.run",
                1,
                "git log",
                new ApprovalRequestBody.Origin(
                        run.sessionId,
                        run.runId,
                        "call-1",
                        "default",
                        run.principal,
                        "",
                        "",
                        person),
                new ApprovalRequestBody.Call(
                        "palyra.process.run",
                        "{\"argv\":[\"git\",\"log\"]}",
                        BINDING,
                        "cd".repeat(32),
                        "/usr/bin/git",
                        "ef".repeat(32),
                        "/work",
                        List.of("git", "log"),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of("PROCESS_EXEC"),
                        "C",
                        "STRICT",
                        onceOnly,
                        "ab".repeat(32),
                        List.of("p-1")),
                pattern,
                new ApprovalRequestBody.Terms(
                        approvers, others, scopes, quorum, escalateTo, escalateAtMillis),
                new ApprovalRequestBody.Policy(
                        List.of("ask_first"), "01".repeat(32), "", "a forbid asks"),
                new ApprovalRequestBody.Prompt(
                        "Run git?", "HIGH", "git log in /work", "policy asks", 900, options()),
                1_000,
                expiresAtMillis);
    }

    private List<ApprovalRequestBody.Option> options() {
        List<ApprovalRequestBody.Option> options = new ArrayList<>();
        for (String scope : scopes) {
            options.add(option(scope, "EXACT"));
            if (pattern != null && !scope.equals("ONCE")) {
                options.add(option(scope, "PATTERN"));
            }
        }
        options.add(
                new ApprovalRequestBody.Option(
                        "deny_once", "Deny", "", true, false, "ONCE", "EXACT", 0));
        return options;
    }

    private static ApprovalRequestBody.Option option(String scope, String shape) {
        String id = "allow_" + scope + "_" + shape;
        return new ApprovalRequestBody.Option(
                id, id, "covers " + scope + " " + shape, false, true, scope, shape, 0);
    }

    ApprovalRow row(TestRun run) {
        return row(run, ApprovalRequestCodec.bytes(of(run)));
    }

    ApprovalRow row(TestRun run, byte[] payload) {
        return ApprovalRow.asked(
                approvalId,
                run.runId,
                "call-1",
                run.sessionId,
                run.principal,
                "TOOL",
                "tool:palyra.process.run",
                payload,
                quorum,
                expiresAtMillis,
                0);
    }

    /** Asks, as an engine does, and returns the id. */
    String in(Stage stage, TestRun run) {
        ApprovalRequestBody question = of(run);
        TapeEvent asked =
                new TapeEvent.ApprovalRequest(
                        approvalId,
                        "call-1",
                        ApprovalRequestCodec.text(question),
                        expiresAtMillis,
                        BINDING,
                        quorum);
        stage.journal()
                .commit(
                        Unit.of(
                                TapeCodec.append(run.runId, asked),
                                new Operation.PutApproval(row(run))));
        return approvalId;
    }
}
