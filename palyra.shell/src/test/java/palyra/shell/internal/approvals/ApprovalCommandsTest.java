package palyra.shell.internal.approvals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.shell.internal.fakes.FakeApprovals.GRANT;
import static palyra.shell.internal.fakes.FakeApprovals.QUESTION;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.api.command.ExitCodes;
import palyra.shell.internal.fakes.FakeApprovals;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.Partial;
import palyra.shell.internal.fakes.ShellAccess;

@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
@Timeout(60)
class ApprovalCommandsTest {
    private static final String DETAILS =
            """
            {"call":{"tool":"palyra.process.run","executable":"/usr/bin/git",
             "argv":["git","st\u0430tus","a b","x\\ny"],"workingFolder":"/w","tier":"C",
             "egress":"STRICT","onceOnly":"it names a shell"}}""";

    @TempDir Path folder;
    private final HostFixture fixture = new HostFixture();
    private final FakeApprovals approvals =
            new FakeApprovals()
                    .add(FakeApprovals.question(QUESTION, 1, "Run \u202Egit\u001b[2J", DETAILS));

    @BeforeEach
    void add() {
        fixture.seams.approvals().add(approvals, Map.of());
        fixture.add(new ApprovalsListCommand(fixture.seams));
        fixture.add(new ApprovalsShowCommand(fixture.seams));
        fixture.add(new ApprovalsDecideCommand(fixture.seams));
        fixture.add(new ApprovalsGrantsCommand(fixture.seams));
        fixture.add(new ApprovalsRevokeCommand(fixture.seams));
        fixture.add(new ApprovalsExportCommand(fixture.seams, bundle()));
    }

    private BundleContext bundle() {
        return Partial.of(
                BundleContext.class,
                new Object() {
                    public String getProperty(String name) {
                        return folder.resolve("state").toString();
                    }

                    public File getDataFile(String name) {
                        return folder.resolve("data").toFile();
                    }
                });
    }

    @Test
    void listsWhatWaitsAndAllWhenAsked() throws Exception {
        HostFixture.Run run = fixture.run("approvals", "list");
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertTrue(run.outText().contains(QUESTION), run.outText());
        approvals.decideElsewhere(QUESTION, "user:carol");
        HostFixture.Run none = fixture.run("approvals", "list");
        assertFalse(none.outText().contains(QUESTION), none.outText());
        assertTrue(none.errText().contains("No approval request is pending"));
        assertTrue(fixture.run("approvals", "list", "--all").outText().contains("DENIED"));
        assertTrue(
                fixture.run("approvals", "list", "--state", "denied").outText().contains(QUESTION));
        assertEquals(
                ExitCodes.USAGE,
                fixture.run("approvals", "list", "--all", "--state", "denied").code());
    }

    @Test
    void showsEverythingAndHidesNothing() throws Exception {
        HostFixture.Run run = fixture.run("approvals", "show", QUESTION);
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        String text = run.outText();
        assertFalse(text.contains("\u202E") || text.contains("\u001b"), text);
        assertTrue(text.contains("Run \\u{202E}git\\u{1B}[2J"), text);
        assertTrue(text.contains("/usr/bin/git"), text);
        assertTrue(text.contains("'a b'") && text.contains("'x\\u{A}y'"), text);
        assertTrue(text.contains("U+0430"), "a look-alike is named: " + text);
        assertTrue(text.contains("it names a shell"), text);
        assertTrue(text.contains("tier C, egress STRICT"), text);
        assertTrue(
                text.contains(
                        "[--allow --scope timeboxed --for 15m; --for up to 30d, --uses N for N"
                                + " calls at most]"),
                text);
        assertTrue(run.errText().contains("palyra approvals decide " + QUESTION));
        JsonNode json =
                new ObjectMapper()
                        .readTree(fixture.run("approvals", "show", QUESTION, "--json").outText());
        assertEquals("/usr/bin/git", json.at("/details/call/executable").asText());
        assertEquals("PENDING", json.at("/outcome/state").asText());
        assertEquals(4, json.at("/prompt/options").size());
        assertEquals(
                ExitCodes.NOT_FOUND,
                fixture.run("approvals", "show", "01J0000000000000000000000Z").code());
    }

    /** There is no call and no tape to explain. */
    @Test
    void senderIsShownAndExplainedWithoutACall() throws Exception {
        fixture.add(new ApprovalsWhyCommand(fixture.seams));
        String id = QUESTION.substring(0, 25) + "P";
        approvals.add(FakeApprovals.sender(id));
        assertTrue(fixture.run("approvals", "list").outText().contains("answer ann"));
        HostFixture.Run show = fixture.run("approvals", "show", id);
        assertEquals(ExitCodes.OK, show.code(), show.errText());
        assertTrue(show.outText().contains("user:fake:main:ann, by fake:main"), show.outText());
        HostFixture.Run why = fixture.run("approvals", "why", id);
        assertEquals(ExitCodes.OK, why.code(), why.errText());
        assertTrue(why.outText().contains("Outcome: no answer yet"), why.outText());
        JsonNode json =
                new ObjectMapper()
                        .readTree(fixture.run("approvals", "why", id, "--json").outText());
        assertEquals("DEVICE_PAIRING", json.path("subject").asText());
        assertEquals("", json.at("/origin/runId").asText());
    }

    @Test
    void lastIsTheNewestPendingRequestElseTheNewest() throws Exception {
        String older = QUESTION.substring(0, 25) + "0";
        approvals.add(FakeApprovals.question(older, 1, "Run ls", "{}"));
        assertTrue(fixture.run("approvals", "show", "last").outText().contains(QUESTION));
        approvals.decideElsewhere(QUESTION, "user:carol");
        assertTrue(fixture.run("approvals", "show", "last").outText().contains(older));
        approvals.decideElsewhere(older, "user:carol");
        assertTrue(fixture.run("approvals", "show", "last").outText().contains(QUESTION));
    }

    /** Another request may have come meanwhile: it is not the one on the screen. */
    @Test
    void answerToTheLastIsForTheRequestThatWasLookedAt() throws Exception {
        String older = QUESTION.substring(0, 25) + "0";
        approvals.add(FakeApprovals.question(older, 1, "Run ls", "{}"));
        HostFixture.Run unseen = fixture.run("approvals", "decide", "last", "--allow");
        assertEquals(ExitCodes.USAGE, unseen.code());
        assertTrue(unseen.errText().contains("approvals show last"), unseen.errText());
        fixture.run("approvals", "show", older);
        HostFixture.Run answer = fixture.run("approvals", "decide", "last", "--deny");
        assertEquals(ExitCodes.OK, answer.code(), answer.errText());
        assertTrue(answer.outText().contains(older), answer.outText());
        assertTrue(
                fixture.run("approvals", "show", QUESTION, "--json").outText().contains("PENDING"));
    }

    @Test
    void aQuestionForOthersNamesWhoMayNotAnswer() throws Exception {
        assertFalse(shown("{\"terms\":{\"others\":false}}").contains("; not "));
        assertTrue(
                shown("{\"terms\":{\"others\":true},\"origin\":{\"person\":\"user:ci\"}}")
                        .contains("; not user:bob or user:ci"));
    }

    @Test
    void placeholdersOfTheProductAreNoLookAlikes() throws Exception {
        String hidden = "{\"call\":{\"argv\":[\"x\",\"\u27e6secret:vault:1\u27e7\"]}}";
        assertFalse(shown(hidden).contains("look closely"), shown(hidden));
        assertTrue(shown(hidden.replace(":1", ":one")).contains("U+27E6"));
    }

    private String shown(String details) throws Exception {
        approvals.add(FakeApprovals.question(QUESTION, 1, "Run git", details));
        return fixture.run("approvals", "show", QUESTION).outText();
    }

    @Test
    void saysYesAsFarAsItWasTold() throws Exception {
        HostFixture.Run run =
                fixture.run(
                        "approvals",
                        "decide",
                        QUESTION,
                        "--allow",
                        "--scope",
                        "session",
                        "--uses",
                        "3",
                        "--reason",
                        "fine");
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertEquals(
                List.of(
                        new ApprovalAnswer(
                                QUESTION,
                                true,
                                ApprovalScope.SESSION,
                                GrantShape.EXACT,
                                0,
                                3,
                                "fine")),
                approvals.answers());
        assertTrue(
                run.outText()
                        .contains("user:op said yes, for equal calls in this session, 3 at most"),
                run.outText());
        assertTrue(run.errText().contains("approvals revoke " + GRANT));
    }

    @Test
    void takesTheTimeFromTheArgumentsOrFromTheQuestion() throws Exception {
        fixture.run("approvals", "decide", QUESTION, "--allow", "--for", "2h", "--pattern");
        ApprovalAnswer given = approvals.answers().get(0);
        assertEquals(7_200_000, given.ttlMillis());
        assertEquals(ApprovalScope.TIMEBOXED, given.scope());
        assertEquals(GrantShape.PATTERN, given.shape());
        approvals.add(FakeApprovals.question(QUESTION, 1, "Run git", ""));
        fixture.run("approvals", "decide", QUESTION, "--allow", "--scope", "timeboxed");
        assertEquals(900_000, approvals.answers().get(1).ttlMillis());
    }

    @Test
    void saysNoWithTheReasonForTheModel() throws Exception {
        HostFixture.Run run =
                fixture.run("approvals", "decide", QUESTION, "--deny", "--reason", "use staging");
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertFalse(approvals.answers().get(0).granted());
        assertEquals("use staging", approvals.answers().get(0).reason());
        assertTrue(run.outText().contains("said no: use staging"), run.outText());
    }

    @Test
    void refusesAnswersThatContradictThemselves() throws Exception {
        for (String[] words :
                List.of(
                        new String[] {},
                        new String[] {"--allow", "--deny"},
                        new String[] {"--deny", "--scope", "session"},
                        new String[] {"--deny", "--for", "2h"},
                        new String[] {"--deny", "--uses", "1"},
                        new String[] {"--allow", "--pattern"},
                        new String[] {"--allow", "--scope", "session", "--for", "2h"},
                        new String[] {"--allow", "--scope", "forever"},
                        new String[] {"--allow", "--for", "soon"},
                        new String[] {"--allow", "--uses", "-1"})) {
            String[] argv = new String[3 + words.length];
            argv[0] = "approvals";
            argv[1] = "decide";
            argv[2] = QUESTION;
            System.arraycopy(words, 0, argv, 3, words.length);
            HostFixture.Run run = fixture.run(argv);
            assertEquals(ExitCodes.USAGE, run.code(), String.join(" ", argv) + run.errText());
        }
        assertEquals(List.of(), approvals.answers());
    }

    @Test
    void tellsALateAnswerWhoWasFirst() throws Exception {
        approvals.decideElsewhere(QUESTION, "user:carol");
        HostFixture.Run run = fixture.run("approvals", "decide", QUESTION, "--allow");
        assertEquals(ExitCodes.FAILED, run.code());
        assertTrue(run.errText().contains("user:carol"), run.errText());
    }

    @Test
    void saysHowManyMoreMustAgree() throws Exception {
        approvals.add(FakeApprovals.question(QUESTION, 2, "Run git", ""));
        HostFixture.Run run = fixture.run("approvals", "decide", QUESTION, "--allow");
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertTrue(run.outText().contains("1 of 2"), run.outText());
    }

    @Test
    void listsAndRevokesGrants() throws Exception {
        HostFixture.Run run = fixture.run("approvals", "grants");
        assertTrue(run.outText().contains("git status\\u{202E} again"), run.outText());
        HostFixture.Run revoke = fixture.run("approvals", "revoke", GRANT, "--reason", "no longer");
        assertEquals(ExitCodes.OK, revoke.code(), revoke.errText());
        assertTrue(approvals.calls().contains("revoke " + GRANT + " no longer"));
        assertTrue(revoke.outText().contains("REVOKED"));
        assertEquals(ExitCodes.FAILED, fixture.run("approvals", "revoke", GRANT).code());
        assertTrue(fixture.run("approvals", "grants").errText().contains("No grant covers"));
        assertTrue(fixture.run("approvals", "grants", "--all").outText().contains(GRANT));
    }

    @Test
    void exportsToOutputAndToANewFile() throws Exception {
        HostFixture.Run run = fixture.run("approvals", "export", "--since", "7d");
        assertEquals("one\ntwo\n", run.outText());
        assertEquals(0, folder.resolve("data").toFile().list().length, "nothing is left behind");
        Path file = folder.resolve("out.ndjson");
        HostFixture.Run written = fixture.run("approvals", "export", file.toString());
        assertEquals(ExitCodes.OK, written.code(), written.errText());
        assertEquals("one\ntwo\n", Files.readString(file));
        assertEquals(ExitCodes.FAILED, fixture.run("approvals", "export", file.toString()).code());
        assertEquals(
                ExitCodes.USAGE, fixture.run("approvals", "export", "--since", "2026T").code());
        fixture.run("approvals", "export", "--format", "json", "--since", "2026-01-31T00:00:00Z");
        assertTrue(
                approvals.calls().contains("export JSON 1769817600000 5000"),
                approvals.calls().toString());
    }

    @Test
    void asksForPermissionBeforeAnything() throws Exception {
        fixture.access.deny("approval.decide").deny("approval.revoke").deny("approval.list");
        for (String[] argv :
                List.of(
                        new String[] {"approvals", "decide", QUESTION, "--allow"},
                        new String[] {"approvals", "revoke", GRANT},
                        new String[] {"approvals", "export"},
                        new String[] {"approvals", "list"})) {
            assertEquals(ExitCodes.DENIED, fixture.run(argv).code());
        }
        assertEquals(List.of(), approvals.answers());
        assertEquals(List.of(), approvals.calls());
        assertEquals("user:op", ShellAccess.OPERATOR.id());
    }

    @Test
    void saysWhenTheServiceIsAway() throws Exception {
        fixture.seams.approvals().remove(approvals);
        assertEquals(ExitCodes.UNAVAILABLE, fixture.run("approvals", "list").code());
        assertEquals(
                ExitCodes.UNAVAILABLE,
                fixture.run("approvals", "decide", QUESTION, "--deny").code());
    }
}
