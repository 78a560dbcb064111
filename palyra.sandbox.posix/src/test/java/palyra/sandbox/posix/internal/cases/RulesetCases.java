package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.sandbox.posix.internal.Bench;

/** Rulesets that are used again are those that would be made now. */
class RulesetCases {
    private static final String KIND = "landlock-ruleset";

    private static void needs(Bench bench) {
        assumeTrue(bench.host().landlockAbi() >= 1, "this kernel has no Landlock");
    }

    private static int code(Bench bench, Landlock rules, String script) throws Exception {
        Bench.Result result = bench.run(bench.sh(script).landlock(rules));
        assertTrue(result.report().started(), script);
        return result.code();
    }

    @Test
    void aFolderThatWasExchangedIsAnotherFolder() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench);
            Path shown = Files.createDirectory(other.workspace.resolve("shown"));
            Path away = other.workspace.resolve("away");
            Files.writeString(shown.resolve("old"), "x");
            Landlock rules = bench.rules(new PathRule(shown.toString(), Access.READ));
            assertEquals(0, code(bench, rules, "cat " + shown + "/old"));
            assertEquals(0, code(bench, rules, "cat " + shown + "/old"));
            Files.move(shown, away);
            assertNotEquals(0, code(bench, rules, "cat " + away + "/old"));
            Files.createDirectory(shown);
            Files.writeString(shown.resolve("new"), "x");
            assertEquals(0, code(bench, rules, "cat " + shown + "/new"));
            assertNotEquals(0, code(bench, rules, "cat " + away + "/old"));
            assertEquals(0, bench.run(bench.sh("cat " + away + "/old")).code());
        }
    }

    @Test
    void aFileThatWasReplacedIsAnotherFile() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench);
            Path file = Files.writeString(other.workspace.resolve("file"), "old");
            Path kept = other.workspace.resolve("kept");
            Files.createLink(kept, file);
            Landlock rules = bench.rules(new PathRule(file.toString(), Access.READ));
            assertEquals(0, code(bench, rules, "cat " + kept)); // the rule is on the file
            Path fresh = Files.writeString(other.workspace.resolve("fresh"), "new");
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
            assertEquals(0, code(bench, rules, "grep -q new " + file));
            assertNotEquals(0, code(bench, rules, "cat " + kept));
            assertEquals(0, bench.run(bench.sh("cat " + kept)).code());
        }
    }

    @Test
    void aLinkThatLeadsElsewhereNowShowsThatAndNoMoreTheOther() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench);
            Path one = Files.writeString(other.workspace.resolve("one"), "1");
            Path two = Files.writeString(other.workspace.resolve("two"), "2");
            Path link = Files.createSymbolicLink(other.workspace.resolve("link"), one);
            Landlock rules = bench.rules(new PathRule(link.toString(), Access.READ));
            assertEquals(0, code(bench, rules, "cat " + one));
            assertNotEquals(0, code(bench, rules, "cat " + two));
            Files.delete(link);
            Files.createSymbolicLink(link, two);
            assertEquals(0, code(bench, rules, "cat " + two));
            assertNotEquals(0, code(bench, rules, "cat " + one));
        }
    }

    @Test
    void whatAppearsLaterIsShown() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench);
            Path later = other.workspace.resolve("later");
            Landlock rules = bench.rules(new PathRule(later.toString(), Access.READ));
            assertNotEquals(0, code(bench, rules, "cat " + later));
            Files.writeString(later, "x");
            assertEquals(0, code(bench, rules, "cat " + later));
        }
    }

    @Test
    void fewRulesetsAreKeptAndAllAreGivenBack() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench);
            long before = rulesets();
            for (int i = 0; i < 20; i++) {
                Path folder = Files.createDirectory(bench.workspace.resolve("f" + i));
                PathRule rule = new PathRule(folder.toString(), Access.READ);
                assertEquals(0, code(bench, bench.rules(rule), ":"));
            }
            assertTrue(rulesets() <= before + 8, "kept " + rulesets());
        }
        Bench.await("rulesets are given back", () -> rulesets() == 0);
    }

    private static long rulesets() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(RulesetCases::isOne).count();
        } catch (IOException gone) {
            throw new java.io.UncheckedIOException(gone);
        }
    }

    private static boolean isOne(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains(KIND);
        } catch (IOException closed) {
            return false;
        }
    }
}
