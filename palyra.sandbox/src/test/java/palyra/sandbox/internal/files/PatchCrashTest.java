package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.failed;
import static palyra.sandbox.internal.files.FilesFixture.input;
import static palyra.sandbox.internal.files.FilesFixture.run;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.tape.TapeEvent.Outcome;

/** A patch of five files fails, or the gateway dies, before each of its steps. */
class PatchCrashTest {
    private static final String PATCH =
            """
            --- a/a
            +++ b/a
            @@ -1 +1 @@
            -a
            +A
            --- /dev/null
            +++ b/new/deep/n
            @@ -0,0 +1 @@
            +n
            --- a/gone
            +++ /dev/null
            @@ -1 +0,0 @@
            -gone
            diff --git a/from b/to
            rename from from
            rename to to
            diff --git a/mode b/mode
            old mode 100644
            new mode 100755
            --- a/mode
            +++ b/mode
            """;
    private static final String HARMLESS = "--- /dev/null\n+++ b/h\n@@ -0,0 +1 @@\n+h\n";

    @TempDir Path temp;
    private FilesFixture fixture;

    /** The gateway dies: nothing of ours runs any more. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Fails, or dies, before the step with a number. */
    private static final class Trouble extends PatchStepListener {
        private final int step;
        private final boolean death;
        private int steps;
        private boolean happened;

        Trouble(int step, boolean death) {
            this.step = step;
            this.death = death;
        }

        @Override
        void before(String name) throws IOException {
            if (steps++ == step) {
                happened = true;
                if (death) {
                    throw new Death();
                }
                throw new IOException("no space left before: " + name);
            }
        }
    }

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        makeFiles();
    }

    private void makeFiles() throws IOException {
        fixture.file("a", "a\n");
        fixture.file("gone", "gone\n");
        fixture.file("from", "from\n");
        Path mode = fixture.file("mode", "mode\n");
        Files.setPosixFilePermissions(mode, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private ApplyPatchTool tool(PatchStepListener steps) {
        return fixture.patchTool(steps);
    }

    private Map<String, String> snapshotWithout(String... names) throws IOException {
        Map<String, String> all = new TreeMap<>(fixture.snapshot());
        for (String name : names) {
            all.remove(name);
        }
        return all;
    }

    @Test
    void aFailureBeforeAnyStepChangesNothing() throws Exception {
        Map<String, String> before = fixture.snapshot();
        int step = 0;
        for (boolean more = true; more; step++) {
            Trouble trouble = new Trouble(step, false);
            more = run(tool(trouble), input("patch", PATCH)).outcome() == Outcome.FAILED;
            assertEquals(more, trouble.happened, "step " + step);
            if (more) {
                assertEquals(before, fixture.snapshot(), "failed before step " + step);
            }
        }
        assertTrue(step > 12, "there are " + step + " steps");
        assertEquals("A\n", fixture.text("a"));
    }

    @Test
    void afterADeathBeforeAnyStepTheNextPatchTakesItBack() throws Exception {
        Map<String, String> before = fixture.snapshot();
        int deaths = 0;
        for (boolean more = true; more; ) {
            Trouble trouble = new Trouble(deaths, true);
            try {
                succeeded(tool(trouble), "patch", PATCH);
                more = false;
            } catch (Death death) {
                succeeded(tool(new PatchStepListener()), "patch", HARMLESS);
                assertEquals(before, snapshotWithout("h"), "died before step " + deaths);
                Files.delete(fixture.workspace.resolve("h"));
                deaths++;
            }
        }
        assertTrue(deaths > 12, "there are " + deaths + " steps");
    }

    /** What one file tool left is taken back by another one. */
    @Test
    void afterADeathOfWritingOrEditingTheNextChangeTakesItBack() throws Exception {
        Map<String, String> before = fixture.snapshot();
        int deaths = 0;
        for (boolean more = true; more; ) {
            PatchStepListener trouble = new Trouble(deaths, true);
            EditFileTool edit =
                    new EditFileTool(() -> fixture.workspaces, fixture.changes(trouble));
            try {
                succeeded(edit, "path", "a", "old", "a", "new", "A");
                more = false;
            } catch (Death death) {
                succeeded(
                        new WriteFileTool(() -> fixture.workspaces, fixture.changes()),
                        "path",
                        "h",
                        "content",
                        "h");
                assertEquals(before, snapshotWithout("h"), "died before step " + deaths);
                Files.delete(fixture.workspace.resolve("h"));
                deaths++;
            }
        }
        assertTrue(deaths > 4, "there are " + deaths + " steps");
        assertEquals("A\n", fixture.text("a"));
    }

    @Test
    void takingBackMayDieAnyNumberOfTimes() throws Exception {
        Map<String, String> before = fixture.snapshot();
        Trouble end = new Trouble(16, true);
        assertThrows(Death.class, () -> run(tool(end), input("patch", PATCH)));
        assertFalse(before.equals(fixture.snapshot()), "there is something to take back");
        int deaths = 0;
        for (boolean more = true; more; ) {
            try {
                succeeded(tool(new Trouble(deaths, true)), "patch", HARMLESS);
                more = false;
            } catch (Death death) {
                deaths++; // it gets one step further each time, or starts over
                assertTrue(deaths < 100, "it comes to an end");
            }
        }
        assertEquals(before, snapshotWithout("h"));
    }

    @Test
    void leavesAloneAndNamesWhatSomebodyElseChangedMeanwhile() throws Exception {
        Trouble end = new Trouble(16, true);
        assertThrows(Death.class, () -> run(tool(end), input("patch", PATCH)));
        assertEquals("A\n", fixture.text("a"));
        fixture.file("a", "a person was here\n");
        var output = succeeded(tool(new PatchStepListener()), "patch", HARMLESS);
        assertEquals("[\"a\"]", output.path("left_by_an_interrupted_patch").toString());
        assertEquals("a person was here\n", fixture.text("a"));
        assertEquals("gone\n", fixture.text("gone"));
    }

    @Test
    void aChangeByAnotherBetweenReadingAndWritingIsNotLost() throws Exception {
        PatchStepListener other =
                new PatchStepListener() {
                    @Override
                    void before(String step) throws IOException {
                        if (step.equals("write the plan")) {
                            fixture.file("gone", "changed\n");
                        }
                    }
                };
        assertTrue(failed(tool(other), "patch", PATCH).contains("meanwhile"));
        assertEquals("changed\n", fixture.text("gone"));
        assertEquals("a\n", fixture.text("a"));
    }

    @Test
    void anInterruptionTakesThePatchBack() throws Exception {
        Map<String, String> before = fixture.snapshot();
        PatchStepListener cancel =
                new PatchStepListener() {
                    @Override
                    void before(String step) {
                        if (step.equals("change gone")) {
                            Thread.currentThread().interrupt();
                        }
                    }
                };
        assertThrows(InterruptedException.class, () -> run(tool(cancel), input("patch", PATCH)));
        assertFalse(Thread.currentThread().isInterrupted());
        assertEquals(before, fixture.snapshot());
    }

    @Test
    void aPlanThatAnAgentWroteDoesNotReachWhatIsProtectedOrOutside() throws Exception {
        Path hooks = Files.createDirectories(fixture.workspace.resolve(".git/hooks"));
        Path victim = Files.writeString(fixture.outside.resolve("victim"), "x");
        Files.createDirectories(fixture.workspace.resolve("bare/objects"));
        Files.createDirectories(fixture.workspace.resolve("bare/refs"));
        fixture.file("bare/HEAD", "ref: refs/heads/main\n");
        for (String path :
                new String[] {
                    ".git/hooks/pre-commit", "bare/config", "../../outside/victim", "/x"
                }) {
            Path forged = fixture.workspace.resolve(".palyra-patch-forged");
            Files.createDirectories(forged);
            Files.writeString(forged.resolve("old-0"), "evil");
            Files.writeString(
                    forged.resolve("plan.json"),
                    "{\"changes\":[{\"path\":\"" + path + "\",\"before\":\"00\",\"after\":\"\"}]}");
            failed(tool(new PatchStepListener()), "patch", HARMLESS);
            assertFalse(Files.exists(hooks.resolve("pre-commit")));
            assertFalse(Files.exists(fixture.workspace.resolve("bare/config")));
            assertEquals("x", Files.readString(victim));
            assertFalse(Files.exists(fixture.workspace.resolve("h")));
            Files.delete(forged.resolve("plan.json"));
            Files.delete(forged.resolve("old-0"));
            Files.delete(forged);
        }
        Files.createSymbolicLink(fixture.workspace.resolve(".palyra-patch-link"), fixture.outside);
        succeeded(tool(new PatchStepListener()), "patch", HARMLESS);
        assertEquals("x", Files.readString(victim), "a link is no patch folder");
    }
}
