package palyra.policy.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.policy.internal.plan.Samples.ALL;
import static palyra.policy.internal.plan.Samples.ASK;
import static palyra.policy.internal.plan.Samples.NOT_EVE;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.command.Command;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.policy.internal.plan.Records;
import palyra.policy.internal.plan.Samples;
import palyra.policy.internal.set.Snapshot;
import palyra.testing.command.FakeCommandContext;

final class ExplainCommandsTest {
    private static final String RUN = "01J00000000000000000000000";
    private static final String WHEN =
            "@id(\"bobs\")\npermit (principal == User::\"user:bob\","
                    + " action == Action::\"run.start\", resource)"
                    + " when { resource has owner && resource.owner == \"user:al\" };\n";
    private static final Snapshot IN_FORCE = Samples.set(ALL, NOT_EVE, ASK);

    private final Records records = new Records();
    private final FakeSets sets = new FakeSets().with(IN_FORCE);
    private final NativeEngineCheck check = new NativeEngineCheck(Samples.gate());

    @TempDir private Path folder;

    @AfterEach
    void close() {
        check.close();
    }

    private PolicyServices services() {
        return new PolicyServices(sets, check, Samples.gate(), records.gate());
    }

    private FakeCommandContext.Builder context() {
        return FakeCommandContext.builder().workingFolder(folder.toString());
    }

    private FakeCommandContext.Builder about(String principal, String action, String resource) {
        return context()
                .option("principal", principal)
                .option("action", action)
                .option("resource", resource);
    }

    private static FakeCommandContext run(int code, Command command, FakeCommandContext context)
            throws Exception {
        assertEquals(code, context.run(command), context.output().notes().toString());
        return context;
    }

    private FakeCommandContext explain(FakeCommandContext.Builder asked) throws Exception {
        return run(0, new ExplainCommand(services()), asked.build());
    }

    private void refuses(int code, String because, Command command, FakeCommandContext context)
            throws Exception {
        run(code, command, context);
        String said = context.output().notes().toString();
        assertTrue(said.contains(because), said);
        assertEquals("", context.output().text());
    }

    @Test
    void explainsADenialWithThePoliciesOfBothEngines() throws Exception {
        FakeCommandContext context = explain(about("user:eve", "run.start", "session:s"));
        Map<String, Object> fields = context.output().fieldSets().get(0);
        assertEquals("deny", fields.get("decision"));
        assertEquals(List.of("not_eve"), fields.get("determinedBy"));
        assertEquals("deny by [not_eve]", fields.get("compiledEngine"));
        assertEquals("deny by [not_eve]", fields.get("nativeEngine"));
        assertEquals(true, fields.get("enginesAgree"));
        assertEquals(IN_FORCE.view().sha256(), fields.get("policySet"));
        List<List<String>> rows = context.output().tables().get(0).rows();
        assertEquals(List.of("all", "not_eve"), rows.stream().map(row -> row.get(0)).toList());
        assertEquals(
                List.of("all", "permit", "holds", "", "own.cedar:1", "For tests."), rows.get(0));
    }

    @Test
    void explainsWhichConditionIsMissing() throws Exception {
        sets.with(Samples.set(WHEN));
        FakeCommandContext context =
                explain(about("user:bob", "run.start", "session:s").option("owner", "user:bob"));
        assertEquals("deny by default", context.output().fieldSets().get(0).get("compiledEngine"));
        List<String> row = context.output().tables().get(0).rows().get(0);
        assertEquals("does not hold", row.get(2));
        assertTrue(row.get(3).contains("resource.owner == \"user:al\""), row.toString());
    }

    @Test
    void explainsWhoWouldHaveToApprove() throws Exception {
        Map<String, Object> fields =
                explain(
                                about("user:bob", "tool.execute", "tool:palyra.tool")
                                        .option("capability", "process_exec"))
                        .output()
                        .fieldSets()
                        .get(0);
        assertEquals("allow_if_approved", fields.get("decision"));
        Map<?, ?> approval = (Map<?, ?>) fields.get("approval");
        assertEquals(900_000L, approval.get("ttlMillis"));
        assertEquals(2, approval.get("quorum"));
        assertEquals(
                "allow",
                explain(
                                about("user:bob", "tool.execute", "palyra.tool")
                                        .option("capability", "process_exec")
                                        .option("context", "{\"approval\":{\"granted\":true}}"))
                        .output()
                        .fieldSets()
                        .get(0)
                        .get("decision"));
        assertEquals(
                "allow",
                explain(about("user:bob", "tool.execute", "palyra.tool"))
                        .output()
                        .fieldSets()
                        .get(0)
                        .get("decision"));
    }

    @Test
    void explainsRecordedEvidenceAndWholeRecords() throws Exception {
        String evidence = Samples.start("user:eve", "s");
        Files.writeString(folder.resolve("e.json"), evidence);
        String record = "{\"decision\":\"allow\",\"evidence\":" + evidence + "}";
        for (FakeCommandContext.Builder asked :
                List.of(
                        context().option("evidence", "e.json"),
                        context().option("evidence", "-").in(record),
                        context().option("evidence", "-").in("{\"payload\":" + record + "}"))) {
            assertEquals("deny", explain(asked).output().fieldSets().get(0).get("decision"));
        }
        Snapshot other = Samples.set(ALL);
        sets.stored.put(other.view().sha256(), other);
        assertEquals(
                "allow",
                explain(
                                context()
                                        .option("evidence", "e.json")
                                        .option("set", other.view().sha256().substring(0, 9)))
                        .output()
                        .fieldSets()
                        .get(0)
                        .get("decision"));
    }

    @Test
    void listsPoliciesAboutSomethingElseWhenAsked() throws Exception {
        FakeCommandContext.Builder asked = about("user:bob", "run.start", "session:s");
        assertEquals(1, explain(asked).output().tables().get(0).rows().size());
        assertEquals(3, explain(asked.flag("all")).output().tables().get(0).rows().size());
    }

    @Test
    void refusesQuestionsThatAreNone() throws Exception {
        ExplainCommand explain = new ExplainCommand(services());
        refuses(64, "--principal is missing", explain, context().build());
        refuses(
                64,
                "--action is missing",
                explain,
                context().option("principal", "user:bob").build());
        refuses(64, "not usable", explain, about("no body", "run.start", "").build());
        refuses(64, "not usable", explain, about("user:bob", "NO ACTION", "").build());
        refuses(64, "names the tool", explain, about("user:bob", "tool.execute", "").build());
        for (String wrong : List.of("{", "[]", "1", "{\"a\":1,\"a\":2}", "{\"a\":null}")) {
            run(
                    64,
                    explain,
                    about("user:bob", "run.start", "session:s").option("context", wrong).build());
        }
        for (String wrong : List.of("", "{}", "[", "{\"v\":1}", "7")) {
            run(64, explain, context().option("evidence", "-").in(wrong).build());
        }
        refuses(
                64,
                "leave out the other options",
                explain,
                context().option("evidence", "-").option("action", "x").in("{}").build());
        refuses(66, "There is no file", explain, context().option("evidence", "nope").build());
        sets.inForce = Optional.empty();
        refuses(
                69,
                "No policy set is in force",
                explain,
                about("user:bob", "run.start", "session:s").build());
    }

    @Test
    void whyTellsOfThenAndNow() throws Exception {
        Snapshot then = Samples.set(ALL);
        sets.stored.put(then.view().sha256(), then);
        records.call(
                Verdict.ALLOW,
                RUN + ".1.0",
                Samples.call("user:eve", RUN + ".1.0", false, false),
                then.view().sha256());
        FakeCommandContext context =
                run(0, new WhyCommand(services()), context().positionals(RUN + ".1.0").build());
        Map<String, Object> fields = context.output().fieldSets().get(0);
        assertEquals("allow", fields.get("decided"));
        assertEquals(List.of("all"), fields.get("determinedBy"));
        assertEquals("Because, in detail.", fields.get("forOperators"));
        assertEquals(then.view().sha256(), fields.get("policySet"));
        assertEquals("deny", fields.get("nowDecided"));
        assertEquals(List.of("not_eve"), fields.get("nowDeterminedBy"));
        String text = context.output().text();
        assertTrue(
                text.contains(
                        "own.cedar:1, as it was in force then:\n"
                                + "@id(\"all\") @reason(\"For tests.\")\npermit ("),
                text);
        String json =
                run(
                                0,
                                new WhyCommand(services()),
                                context().json().positionals(RUN + ".1.0").build())
                        .output()
                        .text();
        assertEquals(1, json.lines().count());
        assertTrue(json.contains("\"place\":\"own.cedar:1\""), json);
    }

    @Test
    void whySaysWhatIsLostOrWasNeverThere() throws Exception {
        String evidence = Samples.call("user:eve", RUN + ".1.0", false, false);
        records.call(Verdict.DENY, RUN + ".1.0", evidence, "9".repeat(64));
        FakeCommandContext gone =
                run(0, new WhyCommand(services()), context().positionals(RUN + ".1.0").build());
        assertTrue(gone.output().notes().get(0).contains("no longer in the history"));
        assertEquals("deny", gone.output().fieldSets().get(0).get("nowDecided"));
        records.call(Verdict.DENY, RUN + ".1.1", "", "");
        FakeCommandContext never =
                run(0, new WhyCommand(services()), context().positionals(RUN + ".1.1").build());
        assertTrue(never.output().notes().get(0).contains("No policy took part"));
        records.call(Verdict.DENY, RUN + ".1.2", "{broken", IN_FORCE.view().sha256());
        FakeCommandContext broken =
                run(0, new WhyCommand(services()), context().positionals(RUN + ".1.2").build());
        assertTrue(broken.output().notes().get(0).contains("cannot be said"));
    }

    @Test
    void whyFindsTheLastCallOfTheNewestRunOfTheCaller() throws Exception {
        records.call(Verdict.DENY, RUN + ".1.0", "", "");
        records.call(Verdict.ALLOW, RUN + ".2.0", "", "");
        records.call(Verdict.DENY, RUN + ".2.1", "", "");
        records.call(Verdict.ALLOW, RUN + ".2.1", "", "");
        Principal owner = new Principal("user:a", PrincipalKind.USER, Set.of(), Set.of(), "");
        for (List<String> each :
                List.of(
                        List.of("last", RUN + ".2.1", "allow", "2"),
                        List.of("last.1.0", RUN + ".1.0", "deny", "1"))) {
            Map<String, Object> fields =
                    run(
                                    0,
                                    new WhyCommand(services()),
                                    context().principal(owner).positionals(each.get(0)).build())
                            .output()
                            .fieldSets()
                            .get(0);
            assertEquals(each.get(1), fields.get("call"));
            assertEquals(each.get(2), fields.get("decided"));
            assertEquals(each.get(3), fields.get("decisions").toString());
        }
    }

    @Test
    void whyRefusesWhatIsNoCall() throws Exception {
        WhyCommand why = new WhyCommand(services());
        for (String wrong : List.of("", "x", RUN, RUN + ".1", RUN + ".a.b", "lasts")) {
            refuses(64, "is no id of a call", why, context().positionals(wrong).build());
        }
        refuses(66, "There is no run", why, context().positionals(RUN + ".1.0").build());
        refuses(66, "You have no run yet", why, context().positionals("last").build());
        records.call(Verdict.ALLOW, RUN + ".1.0", "", "");
        refuses(
                66,
                "No decision is recorded about call",
                new WhyCommand(services()),
                context().positionals(RUN + ".1.9").build());
    }

    @Test
    void planShowsWhatWouldChange() throws Exception {
        long now = System.currentTimeMillis();
        records.at(now - 1_000).action("allow", Samples.start("user:eve", "s"));
        records.action("allow", Samples.start("user:bob", "s"));
        sets.files = Optional.of(IN_FORCE);
        FakeCommandContext context = run(0, new PlanCommand(services()), context().build());
        assertEquals(
                List.of(
                        List.of(
                                "1",
                                "allow",
                                "deny",
                                "run.start",
                                "Session",
                                "user:eve",
                                "not_eve",
                                "1",
                                "journal/main:1")),
                context.output().tables().get(0).rows());
        assertTrue(context.output().text().contains(": 1 would change; "));
        String json =
                run(0, new PlanCommand(services()), context().json().option("since", "1h").build())
                        .output()
                        .text();
        assertTrue(json.contains("\"flipped\":1"), json);
        assertTrue(json.contains("\"reference\":\"journal/main:1\""), json);
        FakeCommandContext limited =
                run(0, new PlanCommand(services()), context().option("limit", "1").build());
        assertTrue(limited.output().notes().get(0).contains("limit was reached"));
        sets.files = Optional.of(Samples.set(NOT_EVE));
        FakeCommandContext other =
                run(0, new PlanCommand(services()), context().positionals(".").build());
        assertTrue(other.output().text().contains("(no policy permits it)"));
        assertEquals("candidate " + folder, sets.asked.get(sets.asked.size() - 1));
    }

    @Test
    void planShowsWhatAnotherProfileOfAnAgentWouldChange() throws Exception {
        records.at(System.currentTimeMillis() - 1_000);
        for (int i = 0; i < 3; i++) {
            String callId = RUN + ".1." + i;
            records.call(
                    Verdict.APPROVAL_REQUIRED,
                    callId,
                    Samples.call("user:bob", callId, "palyra.process.run", true, false, "locked"));
        }
        records.action("allow", Samples.start("user:bob", "s"));
        sets.files = Optional.of(Samples.shipped());
        PlanCommand plan = new PlanCommand(services());
        assertEquals(List.of(), run(0, plan, context().build()).output().tables().get(0).rows());
        List<?> row =
                run(0, plan, context().option("profile", "default=coding").build())
                        .output()
                        .tables()
                        .get(0)
                        .rows()
                        .get(0);
        assertEquals(
                List.of("3", "ask", "allow", "tool.execute", "Tool", "user:bob"),
                row.subList(0, 6));
        assertTrue(row.get(6).toString().contains("coding_commands_in_the_sandbox"), "" + row);
        for (String same : List.of("default=locked", "default=", "other=coding")) {
            FakeCommandContext none = run(0, plan, context().option("profile", same).build());
            assertEquals(List.of(), none.output().tables().get(0).rows(), same);
        }
        assertEquals(
                List.of(),
                run(0, plan, context().option("profile", "default=locked").build())
                        .output()
                        .notes());
        assertEquals(
                List.of("No policy names the profile 'codign': is it mistyped?"),
                run(0, plan, context().option("profile", "default=codign").build())
                        .output()
                        .notes());
        assertEquals(
                List.of(),
                run(0, plan, context().option("profile", "default=").build()).output().notes());
        assertEquals(
                List.of(
                        "No decision that was replayed is about a call of the agent 'stranger': is it"
                                + " mistyped? palyra agents list shows the agents."),
                run(0, plan, context().option("profile", "stranger=coding").build())
                        .output()
                        .notes());
        for (String wrong : List.of("coding", "=coding", "")) {
            refuses(64, "--profile is", plan, context().option("profile", wrong).build());
        }
    }

    @Test
    void planRefusesWindowsItDoesNotUnderstandAndSetsThatAreRefused() throws Exception {
        PlanCommand plan = new PlanCommand(services());
        for (String wrong : List.of("soon", "", "-1h", "7w", "2026-13-01", "9999999d")) {
            refuses(64, "--since is", plan, context().option("since", wrong).build());
        }
        refuses(64, "--limit is", plan, context().option("limit", "0").build());
        assertEquals(List.of(), sets.asked);
        sets.outcome = Outcome.REFUSED;
        FakeCommandContext refused = run(1, plan, context().build());
        assertTrue(refused.output().text().contains("It is wrong."));
    }

    @Test
    void planReadsEveryFormOfTime() {
        long now = 1_800_000_000_000L;
        assertEquals(now - 5_400_000, PlanCommand.since("90m", now));
        assertEquals(now - 604_800_000, PlanCommand.since("7d", now));
        assertEquals(1_767_225_600_000L, PlanCommand.since("2026-01-01", now));
        assertEquals(1_767_225_600_000L, PlanCommand.since("2026-01-01T00:00:00Z", now));
    }

    @Test
    void differencesOfTextsAreExact() {
        String before = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n";
        assertEquals(List.of(), LineDiff.unified(before, before));
        assertEquals(
                List.of("@@ -1,4 +1,4 @@", "-a", "+A", " b", " c", " d"),
                LineDiff.unified(before, before.replace("a\n", "A\n")));
        List<String> two =
                LineDiff.unified(before, before.replace("a\n", "").replace("l\n", "x\n"));
        assertEquals(
                List.of(
                        "@@ -1,4 +1,3 @@",
                        "-a",
                        " b",
                        " c",
                        " d",
                        "@@ -9,4 +8,4 @@",
                        " i",
                        " j",
                        " k",
                        "-l",
                        "+x"),
                two);
        String large = "line\n".repeat(3_000);
        byte[] bytes = large.getBytes(StandardCharsets.UTF_8);
        assertEquals(6_001, LineDiff.unified(large, "other\n".repeat(bytes.length / 5)).size());
    }
}
