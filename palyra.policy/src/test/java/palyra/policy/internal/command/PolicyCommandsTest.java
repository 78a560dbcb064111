package palyra.policy.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.policy.internal.plan.Samples.ALL;
import static palyra.policy.internal.plan.Samples.NOT_EVE;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.command.Command;
import palyra.api.command.ExitCodes;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.policy.internal.decide.Cases.CaseResult;
import palyra.policy.internal.decide.SecondOpinion;
import palyra.policy.internal.plan.Records;
import palyra.policy.internal.plan.Samples;
import palyra.policy.internal.set.Sets.Trial;
import palyra.policy.internal.set.Snapshot;
import palyra.testing.command.FakeCommandContext;

final class PolicyCommandsTest {
    private static final Snapshot IN_FORCE = Samples.set(ALL, NOT_EVE);
    private static final String SHA = IN_FORCE.view().sha256();

    private final FakeSets sets = new FakeSets().with(IN_FORCE);
    private final SecondOpinion second = new SecondOpinion(Samples.gate());
    private final Desk desk = new Desk(sets, second, Samples.gate(), new Records().gate());

    @TempDir private Path folder;

    @AfterEach
    void close() {
        second.close();
    }

    private FakeCommandContext.Builder context() {
        return FakeCommandContext.builder().workingFolder(folder.toString());
    }

    private static FakeCommandContext run(int code, Command command, FakeCommandContext context)
            throws Exception {
        assertEquals(code, context.run(command), context.output().notes().toString());
        return context;
    }

    private static void refuses(
            int code, String because, Command command, FakeCommandContext context)
            throws Exception {
        run(code, command, context);
        assertEquals(1, context.output().notes().size());
        assertTrue(
                context.output().notes().get(0).contains(because),
                context.output().notes()::toString);
        assertEquals("", context.output().text());
    }

    @Test
    void everyCommandHasItsActionAndCanBeDescribed() {
        Set<String> names = new TreeSet<>();
        for (Command command : PolicyCommands.all(desk)) {
            names.add(command.spec().name());
            assertTrue(command.spec().action().startsWith("policy."), command.spec().name());
            boolean changes =
                    Set.of("policy.apply", "policy.rollback", "policy.reload")
                            .contains(command.spec().action());
            assertEquals(changes, command.spec().mutating(), command.spec().name());
        }
        assertEquals(
                Set.of(
                        "policy apply",
                        "policy diff",
                        "policy explain",
                        "policy format",
                        "policy history",
                        "policy lint",
                        "policy list",
                        "policy plan",
                        "policy reload",
                        "policy rollback",
                        "policy status",
                        "policy test",
                        "policy validate",
                        "policy why"),
                names);
    }

    @Test
    void statusShowsTheSetInForce() throws Exception {
        Map<String, Object> fields =
                run(0, new StatusCommand(desk), context().build()).output().fieldSets().get(0);
        assertEquals(SHA, fields.get("sha256"));
        assertEquals(2, fields.get("policies"));
        assertEquals("available", fields.get("nativeEngine"));
        assertEquals("local-files", fields.get("loadedBy"));
    }

    @Test
    void statusIsBadNewsWhenAChangeWasRefusedOrNothingIsInForce() throws Exception {
        sets.outcome = Outcome.REFUSED;
        sets.refused = Optional.of(sets.report());
        FakeCommandContext refused = run(1, new StatusCommand(desk), context().build());
        String text = refused.output().text();
        assertTrue(text.contains("own.cedar:3:7: error: It is wrong."), text);
        assertTrue(text.contains("    permit (x\n           ^\n    Do it right.\n"), text);
        FakeCommandContext json = run(1, new StatusCommand(desk), context().json().build());
        assertEquals(1, json.output().text().lines().count());
        assertTrue(json.output().text().contains("\"column\":7"), json.output().text());
        sets.refused = Optional.empty();
        sets.inForce = Optional.empty();
        FakeCommandContext none = run(1, new StatusCommand(desk), context().build());
        assertTrue(none.output().notes().get(0).contains("everything is denied"));
    }

    @Test
    void statusSaysWhatAnOperatorMustKnow() throws Exception {
        sets.held = true;
        sets.engine = "native";
        List<String> notes = run(0, new StatusCommand(desk), context().build()).output().notes();
        assertTrue(notes.get(0).contains("saved files wait"), notes.toString());
        assertTrue(notes.get(1).contains("disagreed"), notes.toString());
    }

    @Test
    void validateChecksTheOwnFilesOrAFolder() throws Exception {
        FakeCommandContext own = run(0, new ValidateCommand(desk), context().build());
        assertTrue(own.output().text().contains("It was looked at."));
        run(0, new ValidateCommand(desk), context().positionals(".").build());
        assertEquals(List.of("check own", "check " + folder), sets.asked);
        sets.outcome = Outcome.REFUSED;
        FakeCommandContext json = run(1, new ValidateCommand(desk), context().json().build());
        assertTrue(json.output().text().contains("\"outcome\":\"refused\""));
        sets.outcome = Outcome.NEEDS_CONFIRMATION;
        FakeCommandContext lost = run(1, new ValidateCommand(desk), context().build());
        assertTrue(lost.output().text().contains("would be lost: not_eve"));
    }

    @Test
    void foldersAreNamedProperlyAndByOperatorsOnly() throws Exception {
        Files.writeString(folder.resolve("file"), "x");
        for (Command command :
                List.of(
                        new ValidateCommand(desk),
                        new TestCommand(desk),
                        new PlanCommand(desk),
                        new ApplyCommand(desk))) {
            refuses(66, "There is no folder", command, context().positionals("nowhere").build());
            refuses(64, "is no folder", command, context().positionals("file").build());
            refuses(64, "is no path", command, context().positionals("a\0b").build());
            refuses(
                    64,
                    "give a full path",
                    command,
                    FakeCommandContext.builder().positionals("x").build());
            Principal viewer =
                    new Principal("user:v", PrincipalKind.USER, Set.of("viewer"), Set.of(), "t");
            refuses(
                    77,
                    "for operators only",
                    command,
                    context().principal(viewer).positionals(".").build());
        }
        assertEquals(List.of(), sets.asked);
    }

    @Test
    void reloadAndApplyCarryTheirPermitAndTheConfirmation() throws Exception {
        String sha = "cd".repeat(32);
        sets.outcome = Outcome.APPLIED;
        run(0, new ReloadCommand(desk), context().build());
        run(0, new ReloadCommand(desk), context().option("confirm", sha).build());
        run(0, new ApplyCommand(desk), context().positionals(".").option("confirm", sha).build());
        assertEquals(
                List.of("reload ", "reload " + sha, "apply " + folder + " " + sha), sets.asked);
        for (Command command : List.of(new ReloadCommand(desk), new ApplyCommand(desk))) {
            for (String wrong : List.of("yes", "cd", sha + "0", sha.toUpperCase())) {
                refuses(
                        64,
                        "--confirm takes the whole digest",
                        command,
                        context().positionals(".").option("confirm", wrong).build());
            }
        }
        assertEquals(3, sets.asked.size());
    }

    @Test
    void aLossSaysWhatToTypeToMeanIt() throws Exception {
        sets.outcome = Outcome.NEEDS_CONFIRMATION;
        FakeCommandContext reload = run(1, new ReloadCommand(desk), context().build());
        assertEquals(
                List.of("If that is meant: palyra policy reload --confirm " + "ab".repeat(32)),
                reload.output().notes());
        FakeCommandContext apply =
                run(1, new ApplyCommand(desk), context().positionals(".").build());
        assertTrue(apply.output().notes().get(0).contains("policy apply . --confirm abab"));
    }

    @Test
    void rollbackNamesAnEarlierSet() throws Exception {
        sets.outcome = Outcome.APPLIED;
        run(0, new RollbackCommand(desk), context().positionals(SHA.substring(0, 8)).build());
        assertEquals(List.of("rollback " + SHA), sets.asked);
        refuses(
                66,
                "no such set",
                new RollbackCommand(desk),
                context().positionals("0123456").build());
        for (String wrong : List.of("", "abc", "zzzzzz", "0".repeat(65), "../../etc")) {
            refuses(
                    64,
                    "is no digest",
                    new RollbackCommand(desk),
                    context().positionals(wrong).build());
        }
        assertEquals(
                List.of(SHA.substring(0, 12)),
                new RollbackCommand(desk).complete(0, SHA.substring(0, 3)));
        assertEquals(List.of(), new RollbackCommand(desk).complete(1, ""));
    }

    @Test
    void listShowsPoliciesAndWhereTheyStand() throws Exception {
        List<List<String>> rows =
                run(0, new ListCommand(desk), context().build()).output().tables().get(0).rows();
        assertEquals(
                List.of(
                        List.of("all", "permit", "own.cedar:1", "", "For tests."),
                        List.of("not_eve", "forbid", "own.cedar:3", "", "")),
                rows);
        refuses(
                66,
                "no such set",
                new ListCommand(desk),
                context().option("set", "012345").build());
        sets.inForce = Optional.empty();
        refuses(69, "No policy set is in force", new ListCommand(desk), context().build());
    }

    @Test
    void historyMarksWhatIsInForce() throws Exception {
        Snapshot other = Samples.set(ALL);
        sets.stored.put(other.view().sha256(), other);
        List<List<String>> rows =
                run(0, new HistoryCommand(desk), context().build()).output().tables().get(0).rows();
        assertEquals(2, rows.size());
        assertEquals(List.of(SHA.substring(0, 12), "yes"), rows.get(0).subList(0, 2));
        assertEquals("", rows.get(1).get(1));
        assertEquals(
                1,
                run(0, new HistoryCommand(desk), context().option("limit", "1").build())
                        .output()
                        .tables()
                        .get(0)
                        .rows()
                        .size());
        for (String wrong : List.of("0", "x", "1001")) {
            refuses(
                    64,
                    "--limit is",
                    new HistoryCommand(desk),
                    context().option("limit", wrong).build());
        }
    }

    @Test
    void diffComparesTheSetInForceWithTheFiles() throws Exception {
        sets.files = Optional.of(Samples.set(ALL, "// more\n"));
        String text = run(0, new DiffCommand(desk), context().build()).output().text();
        assertTrue(text.contains("--- own.cedar\n+++ own.cedar\n@@ -1,4 +1,3 @@\n"), text);
        assertTrue(text.contains("\n-@id(\"not_eve\")\n"), text);
        assertTrue(text.contains("\n+// more\n"), text);
        assertTrue(text.contains("policies added: [], removed: [not_eve], changed: []"), text);
        FakeCommandContext same =
                run(
                        0,
                        new DiffCommand(desk),
                        context().positionals(SHA, SHA.substring(0, 7)).build());
        assertEquals("Nothing differs.\n", same.output().text());
        Snapshot other = Samples.set(Map.of("b.cedar", ALL.replace("permit", "forbid")));
        sets.stored.put(other.view().sha256(), other);
        String json =
                run(
                                0,
                                new DiffCommand(desk),
                                context().json().positionals(other.view().sha256()).build())
                        .output()
                        .text();
        assertTrue(json.contains("\"changed\":[\"all\"]"), json);
        assertTrue(json.contains("\"added\":[\"not_eve\"]"), json);
        refuses(64, "is no digest", new DiffCommand(desk), context().positionals("x").build());
        sets.outcome = Outcome.REFUSED;
        refuses(1, "not usable", new DiffCommand(desk), context().build());
        assertTrue(new DiffCommand(desk).complete(0, "f").contains("files"));
    }

    @Test
    void testEndsWithTheCounts() throws Exception {
        sets.trial =
                new Trial(
                        List.of(
                                new CaseResult("a.cases.json", "one", true, "allow", "allow"),
                                new CaseResult("a.cases.json", "two", true, "deny", "deny")),
                        List.of());
        assertEquals(
                "2 passed, 0 failed\n",
                run(0, new TestCommand(desk), context().build()).output().text());
        sets.trial =
                new Trial(
                        List.of(
                                new CaseResult("a.cases.json", "one", true, "allow", "allow"),
                                new CaseResult("a.cases.json", "two", false, "deny", "allow")),
                        List.of(FakeSets.PROBLEM));
        String text = run(1, new TestCommand(desk), context().build()).output().text();
        assertTrue(text.startsWith("own.cedar:3:7: error: It is wrong."), text);
        assertTrue(text.endsWith("\n1 passed, 1 failed\n"), text);
        String json = run(1, new TestCommand(desk), context().json().build()).output().text();
        assertTrue(json.startsWith("{\"passed\":1,\"failed\":1,"), json);
        assertTrue(json.contains("\"expected\":\"deny\",\"found\":\"allow\""), json);
    }

    @Test
    void formatPrintsTheUsualFormAndLeavesTheFileAlone() throws Exception {
        Path file = folder.resolve("own.cedar");
        String ugly = "@id(\"a\")permit(principal,action,resource);";
        Files.writeString(file, ugly);
        String usual =
                run(0, new FormatCommand(desk), context().positionals("own.cedar").build())
                        .output()
                        .text();
        assertEquals("@id(\"a\")\npermit (principal, action, resource);\n", usual);
        assertEquals(ugly, Files.readString(file));
        FakeCommandContext check =
                run(
                        1,
                        new FormatCommand(desk),
                        context().positionals("own.cedar").flag("check").build());
        assertEquals("own.cedar is not formatted.\n", check.output().text());
        FakeCommandContext good =
                run(
                        0,
                        new FormatCommand(desk),
                        context().positionals("-").in(usual).flag("check").build());
        assertEquals("standard-input is formatted.\n", good.output().text());
        String json =
                run(0, new FormatCommand(desk), context().json().positionals("own.cedar").build())
                        .output()
                        .text();
        assertTrue(json.contains("\"formatted\":false"), json);
    }

    @Test
    void formatRefusesWhatIsNoPolicy() throws Exception {
        Files.writeString(folder.resolve("bad.cedar"), "permit (");
        FakeCommandContext bad =
                run(1, new FormatCommand(desk), context().positionals("bad.cedar").build());
        assertTrue(bad.output().text().startsWith("bad.cedar:1:"), bad.output().text());
        refuses(
                66,
                "There is no file",
                new FormatCommand(desk),
                context().positionals("none.cedar").build());
        refuses(64, "is no file", new FormatCommand(desk), context().positionals(".").build());
        Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff});
        refuses(
                64,
                "not valid UTF-8",
                new FormatCommand(desk),
                context().positionals("bytes").build());
        Files.write(folder.resolve("big"), new byte[Given.LARGEST + 1]);
        refuses(64, "is larger", new FormatCommand(desk), context().positionals("big").build());
    }

    @Test
    void lintFindsErrorsAndGivesAdvice() throws Exception {
        Path file = folder.resolve("own.cedar");
        Files.writeString(
                file,
                "@id(\"a\") @reason(\"R.\") @approval(\"x\") @ttl(\"soon\")\n"
                        + "forbid (principal, action, resource);\n"
                        + "permit (principal, action == Action::\"nonsense\", resource);\n");
        String text =
                run(1, new LintCommand(desk), context().positionals("own.cedar").build())
                        .output()
                        .text();
        assertTrue(text.contains("own.cedar:3:"), text);
        assertTrue(text.contains("nonsense"), text);
        Files.writeString(
                file,
                "@id(\"a\") @reason(\"R.\") @approval(\"x\") @ttl(\"soon\")\n"
                        + "forbid (principal, action, resource);\n"
                        + "permit (principal, action, resource);\n");
        text = run(1, new LintCommand(desk), context().positionals(".").build()).output().text();
        assertTrue(text.contains("own.cedar:3:1: warning: The policy has no @id."), text);
        assertTrue(text.contains("not in the usual form"), text);
        assertTrue(text.contains("ttl"), text);
        Files.writeString(
                file, "@id(\"a\")\n@reason(\"R.\")\npermit (principal, action, resource);\n");
        String json =
                run(0, new LintCommand(desk), context().json().positionals(".").build())
                        .output()
                        .text();
        assertTrue(json.contains("\"errors\":0"), json);
    }

    @Test
    void lintLooksAtTheOwnFoldersUnlessTold() throws Exception {
        sets.folders.add(folder.resolve("gone").toString());
        sets.folders.add(folder.toString());
        Files.writeString(folder.resolve("x.cedar"), "permit (principal");
        assertTrue(
                run(1, new LintCommand(desk), context().build())
                        .output()
                        .text()
                        .startsWith("x.cedar:1:"));
        Files.delete(folder.resolve("x.cedar"));
        refuses(66, "no .cedar file", new LintCommand(desk), context().build());
        Files.writeString(folder.resolve("x.txt"), "");
        refuses(
                64,
                "does not end in .cedar",
                new LintCommand(desk),
                context().positionals("x.txt").build());
        refuses(66, "There is no file", new LintCommand(desk), context().positionals("y").build());
        assertFalse(sets.asked.contains("check own"));
    }

    @Test
    void saysSoWithoutTheNativeEngine() throws Exception {
        Files.writeString(folder.resolve("x.cedar"), "");
        palyra.shared.gate.Gate<palyra.lib.cedar.Cedar> nobody =
                new palyra.shared.gate.Gate<>(
                        "The native Cedar engine", palyra.api.ErrorCode.POLICY_UNAVAILABLE, 0);
        Desk without = new Desk(sets, second, nobody, new Records().gate());
        for (Command command : List.of(new LintCommand(without), new FormatCommand(without))) {
            refuses(
                    ExitCodes.UNAVAILABLE,
                    "The native Cedar engine",
                    command,
                    context().positionals("x.cedar").build());
        }
    }
}
