package palyra.sandbox.posix.internal.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Os;

/** A process starts in the folder that its rules are on, or not at all. */
class StartFolderTest {
    @TempDir Path folder;
    private final Libc libc = new Libc(Os.here());
    private final int version = LandlockRules.version(libc);
    private Path workspace;
    private Path aside;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(version > 0, "this kernel has no Landlock");
        Path root = folder.toRealPath();
        workspace = Files.createDirectories(root.resolve("workspace/below")).getParent();
        aside = root.resolve("aside");
    }

    private Landlock rules(Access access) {
        PathRule rule = new PathRule(workspace.toString(), access);
        return new Landlock(true, List.of(rule), false, Set.of(), false);
    }

    private LaunchPlan plan(Landlock rules, Path start) {
        return new LaunchPlan(
                "call",
                List.of("/bin/true"),
                Map.of(),
                start.toString(),
                new Rlimits(0, 0, 0, 0, 0),
                Optional.empty(),
                Optional.of(rules),
                Optional.empty(),
                List.of(),
                0,
                false,
                "test");
    }

    private StartFolder open(Path start) {
        return StartFolder.open(libc, version, plan(rules(Access.WRITE), start));
    }

    private Path leadsTo(StartFolder start) throws IOException {
        return Path.of("/proc/self/fd/" + start.place()).toRealPath();
    }

    private void check(StartFolder start) {
        try (Rulesets rulesets = new Rulesets(libc, new LandlockRules(libc, version));
                Rulesets.Lease lease = rulesets.take(rules(Access.WRITE)).orElseThrow()) {
            start.requireRulesOn(lease);
        }
    }

    @Test
    void isTheFolderOfTheRuleOrOneBelowIt() throws Exception {
        for (Path path : List.of(workspace, workspace.resolve("below"))) {
            try (StartFolder start = open(path)) {
                assertEquals(path, leadsTo(start));
                check(start);
            }
        }
    }

    @Test
    void isRefusedWhenItsRulesAreOnAnotherFolder() throws Exception {
        try (StartFolder start = open(workspace.resolve("below"))) {
            Files.move(workspace, aside);
            Files.createDirectories(workspace.resolve("below"));
            assertEquals(aside.resolve("below"), leadsTo(start));
            PalyraException refused = assertThrows(PalyraException.class, () -> check(start));
            assertEquals(ErrorCode.DENIED, refused.code());
            assertTrue(refused.getMessage().contains("was replaced"), refused.getMessage());
        }
    }

    @Test
    void isRefusedWhenALinkIsInItsPath() throws Exception {
        Files.createSymbolicLink(workspace.resolve("link"), Path.of("/tmp"));
        Files.createSymbolicLink(workspace.resolve("inside"), workspace.resolve("below"));
        for (String name : List.of("link", "inside")) {
            Path path = workspace.resolve(name);
            PalyraException refused = assertThrows(PalyraException.class, () -> open(path));
            assertEquals(ErrorCode.DENIED, refused.code(), refused.getMessage());
        }
        PalyraException climbed =
                assertThrows(PalyraException.class, () -> open(Path.of(workspace + "/../..")));
        assertTrue(climbed.getMessage().contains(".."), climbed.getMessage());
        Path file = Files.writeString(workspace.resolve("file"), "x");
        PalyraException none = assertThrows(PalyraException.class, () -> open(file));
        assertEquals(ErrorCode.INVALID_ARGUMENT, none.code());
    }

    @Test
    void isFoundByItsPathWhereNoRuleLetsItBeWritten() {
        try (StartFolder start =
                StartFolder.open(libc, version, plan(rules(Access.READ), workspace))) {
            assertEquals(-1, start.place());
            check(start);
        }
    }
}
