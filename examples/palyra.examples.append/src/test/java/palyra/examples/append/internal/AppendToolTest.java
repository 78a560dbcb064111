package palyra.examples.append.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.testing.tool.ToolContract;
import palyra.testing.wait.Await;

class AppendToolTest extends ToolContract {
    @TempDir private Path temp;

    private Path folder() {
        return temp.resolve("state/append");
    }

    @Override
    protected Tool tool() {
        return new AppendTool(new AppendFolder(folder(), 1_000));
    }

    @Override
    protected String validInput() {
        return "{\"file\":\"a.txt\",\"line\":\"hello\"}";
    }

    @Override
    protected List<String> badInputs() {
        return List.of(
                "{}",
                "{\"file\":\"a.txt\"}",
                "{\"line\":\"x\"}",
                "{\"file\":1,\"line\":\"x\"}",
                "{\"file\":\"\",\"line\":\"x\"}",
                "{\"file\":\".\",\"line\":\"x\"}",
                "{\"file\":\"..\",\"line\":\"x\"}",
                "{\"file\":\"../a\",\"line\":\"x\"}",
                "{\"file\":\"/etc/passwd\",\"line\":\"x\"}",
                "{\"file\":\"a/b\",\"line\":\"x\"}",
                "{\"file\":\"a\\u0000b\",\"line\":\"x\"}",
                "{\"file\":\"-a\",\"line\":\"x\"}",
                "{\"file\":\"" + "a".repeat(65) + "\",\"line\":\"x\"}",
                "{\"file\":\"a\",\"line\":\"two\\nlines\"}",
                "{\"file\":\"a\",\"line\":\"" + "x".repeat(4_097) + "\"}",
                "{\"file\":\"a\",\"line\":\"x\",\"millis\":-1}",
                "{\"file\":\"a\",\"line\":\"x\",\"millis\":\"1\"}",
                "{\"file\":\"a\",\"line\":\"x\",\"afterMillis\":30001}");
    }

    @Override
    protected Optional<String> lastingInput() {
        return Optional.of("{\"file\":\"a.txt\",\"line\":\"x\",\"millis\":30000}");
    }

    private ToolResult append(Tool tool, String inputJson) throws Exception {
        return tool.execute(new ToolInvocation("c", 1, "r", "s", "user:test", inputJson, 0));
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(folder().resolve(file));
    }

    @Test
    void everyCallIsOneLine() throws Exception {
        Tool tool = tool();
        ToolResult first = append(tool, "{\"file\":\"a.txt\",\"line\":\"é 🙂\"}");
        assertEquals("{\"file\":\"a.txt\",\"sizeBytes\":8}", first.outputJson());
        append(tool, "{\"file\":\"a.txt\",\"line\":\"\"}");
        append(tool(), "{\"file\":\"a.txt\",\"line\":\"third\"}");
        assertEquals(List.of("é 🙂", "", "third"), lines("a.txt"));
    }

    @Test
    void folderAndFilesBelongToTheirOwnerAlone() throws Exception {
        append(tool(), validInput());
        assertEquals("rwx------", permissions(folder()));
        assertEquals("rw-------", permissions(folder().resolve("a.txt")));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void badInputLeavesNoTrace() throws Exception {
        for (String input : badInputs()) {
            assertThrows(PalyraException.class, () -> append(tool(), input));
        }
        assertFalse(Files.exists(folder()));
        assertFalse(Files.exists(temp.resolve("state/a")));
    }

    @Test
    void followsNoLinkOutOfItsFolder() throws Exception {
        append(tool(), validInput());
        Path outside = Files.writeString(temp.resolve("outside.txt"), "untouched\n");
        Files.createSymbolicLink(folder().resolve("link.txt"), outside);
        assertThrows(
                PalyraException.class,
                () -> append(tool(), "{\"file\":\"link.txt\",\"line\":\"x\"}"));
        assertEquals("untouched\n", Files.readString(outside));
    }

    @Test
    void refusesAFolderThatIsALinkOrOpenToOthers() throws Exception {
        Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        Files.createDirectory(temp.resolve("state"));
        Files.createSymbolicLink(folder(), elsewhere);
        assertEquals(ErrorCode.DENIED, refusal(validInput()));
        Files.delete(folder());
        Files.createDirectory(folder());
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        assertEquals(ErrorCode.DENIED, refusal(validInput()));
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwx------"));
        append(tool(), validInput());
        assertEquals(1, lines("a.txt").size());
        assertEquals(0, elsewhere.toFile().list().length);
    }

    private ErrorCode refusal(String inputJson) {
        return assertThrows(PalyraException.class, () -> append(tool(), inputJson)).code();
    }

    @Test
    void refusesALineThatMakesAFileTooLarge() throws Exception {
        String fits = "{\"file\":\"a.txt\",\"line\":\"" + "x".repeat(999) + "\"}";
        append(tool(), fits);
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refusal(validInput()));
        assertEquals(1_000, Files.size(folder().resolve("a.txt")));
    }

    @Test
    void saysWhatIsWrongWhenTheFileCannotBeWritten() throws Exception {
        append(tool(), validInput());
        Files.createDirectory(folder().resolve("taken"));
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> append(tool(), "{\"file\":\"taken\",\"line\":\"x\"}"));
        assertTrue(refused.getMessage().contains("taken"), refused.getMessage());
    }

    @Test
    void interruptedBeforeTheAppendWritesNothing() throws Exception {
        Tool tool = tool();
        FutureTask<ToolResult> call =
                new FutureTask<>(() -> append(tool, lastingInput().orElseThrow()));
        Thread thread = Thread.ofPlatform().start(call);
        Await.until("the call to wait", () -> thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        thread.join(10_000);
        assertFalse(Files.exists(folder()));
    }

    @Test
    void interruptedAfterTheAppendSaysThatItHappened() throws Exception {
        Tool tool = tool();
        FutureTask<ToolResult> call =
                new FutureTask<>(
                        () ->
                                append(
                                        tool,
                                        "{\"file\":\"a.txt\",\"line\":\"x\",\"afterMillis\":30000}"));
        Thread thread = Thread.ofPlatform().start(call);
        Await.until(
                "the line and the wait after it",
                () ->
                        Files.exists(folder().resolve("a.txt"))
                                && thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        assertTrue(call.get(10, TimeUnit.SECONDS).success());
        assertEquals(List.of("x"), lines("a.txt"));
    }

    @Test
    void linesOfManyCallersNeverMix() throws Exception {
        Tool tool = new AppendTool(new AppendFolder(folder(), 1_000_000));
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < 8; caller++) {
            String line = String.valueOf((char) ('a' + caller)).repeat(500);
            String input = "{\"file\":\"a.txt\",\"line\":\"" + line + "\"}";
            callers.add(Thread.ofPlatform().start(() -> appendOften(tool, input)));
        }
        for (Thread caller : callers) {
            caller.join(60_000);
        }
        List<String> lines = lines("a.txt");
        assertEquals(80, lines.size());
        assertEquals(8, new HashSet<>(lines).size());
        lines.forEach(line -> assertEquals(500, line.length()));
    }

    private void appendOften(Tool tool, String input) {
        for (int i = 0; i < 10; i++) {
            try {
                append(tool, input);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void declaresThatItWritesAndMustNotBeRepeated() {
        Tool tool = tool();
        assertEquals(Set.of(Capability.FILESYSTEM_WRITE), tool.descriptor().capabilities());
        assertFalse(tool.descriptor().idempotent());
        assertFalse(tool.descriptor().readOnly());
    }

    @Test
    void keepsItsFilesInTheStateFolderUnlessToldOtherwise() {
        assertEquals(Path.of("/var/lib/x/append"), AppendTool.place("", "/var/lib/x"));
        assertEquals(Path.of("/srv/lines"), AppendTool.place("/srv/lines", "/var/lib/x"));
        assertThrows(PalyraException.class, () -> AppendTool.place("", null));
        assertThrows(PalyraException.class, () -> new AppendFolder(Path.of("relative"), 1_000));
    }
}
