package palyra.policy.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.policy.internal.plan.Samples.ALL;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.command.Command;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.policy.internal.plan.Samples;
import palyra.policy.internal.set.Snapshot;
import palyra.testing.command.FakeCommandContext;

final class PolicyCommandsTest extends PolicyCommandsFixture {
    @Test
    void everyCommandHasItsActionAndCanBeDescribed() {
        Set<String> names = new TreeSet<>();
        for (Command command : PolicyCommands.all(services)) {
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
                run(0, new StatusCommand(services), context().build()).output().fieldSets().get(0);
        assertEquals(SHA, fields.get("sha256"));
        assertEquals(2, fields.get("policies"));
        assertEquals("available", fields.get("nativeEngine"));
        assertEquals("local-files", fields.get("loadedBy"));
    }

    @Test
    void statusIsBadNewsWhenAChangeWasRefusedOrNothingIsInForce() throws Exception {
        sets.outcome = Outcome.REFUSED;
        sets.refused = Optional.of(sets.report());
        FakeCommandContext refused = run(1, new StatusCommand(services), context().build());
        String text = refused.output().text();
        assertTrue(text.contains("own.cedar:3:7: error: It is wrong."), text);
        assertTrue(text.contains("    permit (x\n           ^\n    Do it right.\n"), text);
        FakeCommandContext json = run(1, new StatusCommand(services), context().json().build());
        assertEquals(1, json.output().text().lines().count());
        assertTrue(json.output().text().contains("\"column\":7"), json.output().text());
        sets.refused = Optional.empty();
        sets.inForce = Optional.empty();
        FakeCommandContext none = run(1, new StatusCommand(services), context().build());
        assertTrue(none.output().notes().get(0).contains("everything is denied"));
    }

    @Test
    void statusSaysWhatAnOperatorMustKnow() throws Exception {
        sets.held = true;
        sets.engine = "native";
        List<String> notes =
                run(0, new StatusCommand(services), context().build()).output().notes();
        assertTrue(notes.get(0).contains("saved files wait"), notes.toString());
        assertTrue(notes.get(1).contains("disagreed"), notes.toString());
    }

    @Test
    void validateChecksTheOwnFilesOrAFolder() throws Exception {
        FakeCommandContext own = run(0, new ValidateCommand(services), context().build());
        assertTrue(own.output().text().contains("It was looked at."));
        run(0, new ValidateCommand(services), context().positionals(".").build());
        assertEquals(List.of("check own", "check " + folder), sets.asked);
        sets.outcome = Outcome.REFUSED;
        FakeCommandContext json = run(1, new ValidateCommand(services), context().json().build());
        assertTrue(json.output().text().contains("\"outcome\":\"refused\""));
        sets.outcome = Outcome.NEEDS_CONFIRMATION;
        FakeCommandContext lost = run(1, new ValidateCommand(services), context().build());
        assertTrue(lost.output().text().contains("would be lost: not_eve"));
    }

    @Test
    void foldersAreNamedProperlyAndByOperatorsOnly() throws Exception {
        Files.writeString(folder.resolve("file"), "x");
        for (Command command :
                List.of(
                        new ValidateCommand(services),
                        new TestCommand(services),
                        new PlanCommand(services),
                        new ApplyCommand(services))) {
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
        run(0, new ReloadCommand(services), context().build());
        run(0, new ReloadCommand(services), context().option("confirm", sha).build());
        run(
                0,
                new ApplyCommand(services),
                context().positionals(".").option("confirm", sha).build());
        assertEquals(
                List.of("reload ", "reload " + sha, "apply " + folder + " " + sha), sets.asked);
        for (Command command : List.of(new ReloadCommand(services), new ApplyCommand(services))) {
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
        FakeCommandContext reload = run(1, new ReloadCommand(services), context().build());
        assertEquals(
                List.of("To confirm it: palyra policy reload --confirm " + "ab".repeat(32)),
                reload.output().notes());
        FakeCommandContext apply =
                run(1, new ApplyCommand(services), context().positionals(".").build());
        assertTrue(apply.output().notes().get(0).contains("policy apply . --confirm abab"));
    }

    @Test
    void rollbackNamesAnEarlierSet() throws Exception {
        sets.outcome = Outcome.APPLIED;
        run(0, new RollbackCommand(services), context().positionals(SHA.substring(0, 8)).build());
        assertEquals(List.of("rollback " + SHA), sets.asked);
        refuses(
                66,
                "no such set",
                new RollbackCommand(services),
                context().positionals("0123456").build());
        for (String wrong : List.of("", "abc", "zzzzzz", "0".repeat(65), "../../etc")) {
            refuses(
                    64,
                    "is no digest",
                    new RollbackCommand(services),
                    context().positionals(wrong).build());
        }
        assertEquals(
                List.of(SHA.substring(0, 12)),
                new RollbackCommand(services).complete(0, SHA.substring(0, 3)));
        assertEquals(List.of(), new RollbackCommand(services).complete(1, ""));
    }

    @Test
    void listShowsPoliciesAndWhereTheyStand() throws Exception {
        List<List<String>> rows =
                run(0, new ListCommand(services), context().build())
                        .output()
                        .tables()
                        .get(0)
                        .rows();
        assertEquals(
                List.of(
                        List.of("all", "permit", "own.cedar:1", "", "For tests."),
                        List.of("not_eve", "forbid", "own.cedar:3", "", "")),
                rows);
        refuses(
                66,
                "no such set",
                new ListCommand(services),
                context().option("set", "012345").build());
        sets.inForce = Optional.empty();
        refuses(69, "No policy set is in force", new ListCommand(services), context().build());
    }

    @Test
    void historyMarksWhatIsInForce() throws Exception {
        Snapshot other = Samples.set(ALL);
        sets.stored.put(other.view().sha256(), other);
        List<List<String>> rows =
                run(0, new HistoryCommand(services), context().build())
                        .output()
                        .tables()
                        .get(0)
                        .rows();
        assertEquals(2, rows.size());
        assertEquals(List.of(SHA.substring(0, 12), "yes"), rows.get(0).subList(0, 2));
        assertEquals("no", rows.get(1).get(1));
        assertEquals(
                1,
                run(0, new HistoryCommand(services), context().option("limit", "1").build())
                        .output()
                        .tables()
                        .get(0)
                        .rows()
                        .size());
        for (String wrong : List.of("0", "x", "1001")) {
            refuses(
                    64,
                    "--limit is",
                    new HistoryCommand(services),
                    context().option("limit", wrong).build());
        }
    }
}
