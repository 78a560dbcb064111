package palyra.policy.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.policy.internal.plan.Samples.ALL;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.command.Command;
import palyra.api.command.ExitCodes;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.policy.internal.decide.CaseRunner.CaseResult;
import palyra.policy.internal.plan.Records;
import palyra.policy.internal.plan.Samples;
import palyra.policy.internal.set.PolicyService.Trial;
import palyra.policy.internal.set.Snapshot;
import palyra.testing.command.FakeCommandContext;

/** Commands about files of policies: diff, test, format, lint. */
final class PolicyFileCommandsTest extends PolicyCommandsFixture {
    @Test
    void diffComparesTheSetInForceWithTheFiles() throws Exception {
        sets.files = Optional.of(Samples.set(ALL, "// more\n"));
        String text = run(0, new DiffCommand(services), context().build()).output().text();
        assertTrue(text.contains("--- own.cedar\n+++ own.cedar\n@@ -1,4 +1,3 @@\n"), text);
        assertTrue(text.contains("\n-@id(\"not_eve\")\n"), text);
        assertTrue(text.contains("\n+// more\n"), text);
        assertTrue(text.contains("policies added: [], removed: [not_eve], changed: []"), text);
        FakeCommandContext same =
                run(
                        0,
                        new DiffCommand(services),
                        context().positionals(SHA, SHA.substring(0, 7)).build());
        assertEquals("Nothing differs.\n", same.output().text());
        Snapshot other = Samples.set(Map.of("b.cedar", ALL.replace("permit", "forbid")));
        sets.stored.put(other.view().sha256(), other);
        String json =
                run(
                                0,
                                new DiffCommand(services),
                                context().json().positionals(other.view().sha256()).build())
                        .output()
                        .text();
        assertTrue(json.contains("\"changed\":[\"all\"]"), json);
        assertTrue(json.contains("\"added\":[\"not_eve\"]"), json);
        refuses(64, "is no digest", new DiffCommand(services), context().positionals("x").build());
        sets.outcome = Outcome.REFUSED;
        refuses(1, "not usable", new DiffCommand(services), context().build());
        assertTrue(new DiffCommand(services).complete(0, "f").contains("files"));
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
                run(0, new TestCommand(services), context().build()).output().text());
        sets.trial =
                new Trial(
                        List.of(
                                new CaseResult("a.cases.json", "one", true, "allow", "allow"),
                                new CaseResult("a.cases.json", "two", false, "deny", "allow")),
                        List.of(FakeSets.PROBLEM));
        String text = run(1, new TestCommand(services), context().build()).output().text();
        assertTrue(text.startsWith("own.cedar:3:7: error: It is wrong."), text);
        assertTrue(text.endsWith("\n1 passed, 1 failed\n"), text);
        String json = run(1, new TestCommand(services), context().json().build()).output().text();
        assertTrue(json.startsWith("{\"passed\":1,\"failed\":1,"), json);
        assertTrue(json.contains("\"expected\":\"deny\",\"found\":\"allow\""), json);
    }

    @Test
    void formatPrintsTheUsualFormAndLeavesTheFileAlone() throws Exception {
        Path file = folder.resolve("own.cedar");
        String ugly = "@id(\"a\")permit(principal,action,resource);";
        Files.writeString(file, ugly);
        String usual =
                run(0, new FormatCommand(services), context().positionals("own.cedar").build())
                        .output()
                        .text();
        assertEquals("@id(\"a\")\npermit (principal, action, resource);\n", usual);
        assertEquals(ugly, Files.readString(file));
        FakeCommandContext check =
                run(
                        1,
                        new FormatCommand(services),
                        context().positionals("own.cedar").flag("check").build());
        assertEquals("own.cedar is not formatted.\n", check.output().text());
        FakeCommandContext good =
                run(
                        0,
                        new FormatCommand(services),
                        context().positionals("-").in(usual).flag("check").build());
        assertEquals("standard-input is formatted.\n", good.output().text());
        String json =
                run(
                                0,
                                new FormatCommand(services),
                                context().json().positionals("own.cedar").build())
                        .output()
                        .text();
        assertTrue(json.contains("\"formatted\":false"), json);
    }

    @Test
    void formatRefusesWhatIsNoPolicy() throws Exception {
        Files.writeString(folder.resolve("bad.cedar"), "permit (");
        FakeCommandContext bad =
                run(1, new FormatCommand(services), context().positionals("bad.cedar").build());
        assertTrue(bad.output().text().startsWith("bad.cedar:1:"), bad.output().text());
        refuses(
                66,
                "There is no file",
                new FormatCommand(services),
                context().positionals("none.cedar").build());
        refuses(64, "is no file", new FormatCommand(services), context().positionals(".").build());
        Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff});
        refuses(
                64,
                "not valid UTF-8",
                new FormatCommand(services),
                context().positionals("bytes").build());
        Files.write(folder.resolve("big"), new byte[PathArguments.LARGEST + 1]);
        refuses(64, "is larger", new FormatCommand(services), context().positionals("big").build());
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
                run(1, new LintCommand(services), context().positionals("own.cedar").build())
                        .output()
                        .text();
        assertTrue(text.contains("own.cedar:3:"), text);
        assertTrue(text.contains("nonsense"), text);
        Files.writeString(
                file,
                "@id(\"a\") @reason(\"R.\") @approval(\"x\") @ttl(\"soon\")\n"
                        + "forbid (principal, action, resource);\n"
                        + "permit (principal, action, resource);\n");
        text =
                run(1, new LintCommand(services), context().positionals(".").build())
                        .output()
                        .text();
        assertTrue(text.contains("own.cedar:3:1: warning: The policy has no @id."), text);
        assertTrue(text.contains("not in the usual form"), text);
        assertTrue(text.contains("ttl"), text);
        Files.writeString(
                file, "@id(\"a\")\n@reason(\"R.\")\npermit (principal, action, resource);\n");
        String json =
                run(0, new LintCommand(services), context().json().positionals(".").build())
                        .output()
                        .text();
        assertTrue(json.contains("\"errors\":0"), json);
    }

    @Test
    void lintRefusesAForbidThatNeverAppliesAsValidateDoes() throws Exception {
        Files.writeString(
                folder.resolve("schema.cedarschema"),
                """
                entity Person;
                entity Thing;
                action "go" appliesTo {
                  principal: Person,
                  resource: Thing,
                  context: { facts?: { executable?: String } }
                };
                """);
        Files.writeString(
                folder.resolve("own.cedar"),
                """
                @id("a")
                @reason("R.")
                forbid (principal, action == Action::"go", resource)
                when { context has facts && context.facts has program };
                """);
        String text =
                run(1, new LintCommand(services), context().positionals(".").build())
                        .output()
                        .text();
        assertTrue(text.contains("error: The forbid never applies"), text);
        assertTrue(text.contains("program (did you mean executable?)"), text);
    }

    @Test
    void lintLooksAtTheOwnFoldersUnlessTold() throws Exception {
        sets.folders.add(folder.resolve("gone").toString());
        sets.folders.add(folder.toString());
        Files.writeString(folder.resolve("x.cedar"), "permit (principal");
        assertTrue(
                run(1, new LintCommand(services), context().build())
                        .output()
                        .text()
                        .startsWith("x.cedar:1:"));
        Files.delete(folder.resolve("x.cedar"));
        refuses(66, "no .cedar file", new LintCommand(services), context().build());
        Files.writeString(folder.resolve("x.txt"), "");
        refuses(
                64,
                "does not end in .cedar",
                new LintCommand(services),
                context().positionals("x.txt").build());
        refuses(
                66,
                "There is no file",
                new LintCommand(services),
                context().positionals("y").build());
        assertFalse(sets.asked.contains("check own"));
    }

    @Test
    void saysSoWithoutTheNativeEngine() throws Exception {
        Files.writeString(folder.resolve("x.cedar"), "");
        palyra.shared.gate.Gate<palyra.lib.cedar.Cedar> absent =
                new palyra.shared.gate.Gate<>(
                        "The native Cedar engine", palyra.api.ErrorCode.POLICY_UNAVAILABLE, 0);
        PolicyServices without = new PolicyServices(sets, check, absent, new Records().gate());
        for (Command command : List.of(new LintCommand(without), new FormatCommand(without))) {
            refuses(
                    ExitCodes.UNAVAILABLE,
                    "The native Cedar engine",
                    command,
                    context().positionals("x.cedar").build());
        }
    }
}
