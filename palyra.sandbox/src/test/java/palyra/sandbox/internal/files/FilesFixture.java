package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolInvocation;
import palyra.sandbox.internal.process.Configurations;
import palyra.sandbox.internal.workspace.ProtectedPaths;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.testing.sandbox.Launchers;

/** A workspace, something outside of it, and calls. */
final class FilesFixture {
    static final String SENTINEL = "HOSTSECRET";

    final Path base;
    final Path workspace;
    final Path outside;
    final Workspaces workspaces;
    final FolderCalls calls = Launchers.folders();
    final Gate<FolderCalls> folders =
            new Gate<>("What opens folders", ErrorCode.TOOL_UNAVAILABLE, 50);

    FilesFixture(Path temp) throws IOException, ReflectiveOperationException {
        folders.add(calls, Map.of());
        base = temp.toRealPath();
        workspaces = new Workspaces(base.resolve("root"), Map.of(), List.of());
        workspace = workspaces.of("agent");
        outside = Files.createDirectories(base.resolve("outside"));
        Files.writeString(outside.resolve("secret"), SENTINEL + "\n");
    }

    /** What is protected as shipped. */
    static ProtectedPaths protectedPaths() {
        return Configurations.settings(Path.of("/none"), Map.of()).protectedPaths();
    }

    ApplyPatchTool patchTool() {
        return patchTool(new PatchStepListener());
    }

    ApplyPatchTool patchTool(PatchStepListener steps) {
        return new ApplyPatchTool(() -> workspaces, changes(steps));
    }

    WorkspaceChanges changes() {
        return changes(new PatchStepListener());
    }

    WorkspaceChanges changes(PatchStepListener steps) {
        return new WorkspaceChanges(FilesFixture::protectedPaths, folders, steps);
    }

    Path file(String path, String content) throws IOException {
        return file(path, content.getBytes(StandardCharsets.UTF_8));
    }

    Path file(String path, byte[] content) throws IOException {
        Path file = workspace.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    String text(String path) throws IOException {
        return Files.readString(workspace.resolve(path), StandardCharsets.ISO_8859_1);
    }

    static String input(Object... fields) {
        var node = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < fields.length; i += 2) {
            node.putPOJO((String) fields[i], null);
            switch (fields[i + 1]) {
                case String text -> node.put((String) fields[i], text);
                case Integer number -> node.put((String) fields[i], number);
                case Boolean flag -> node.put((String) fields[i], flag);
                default -> throw new IllegalArgumentException("no such kind of field");
            }
        }
        return Jcs.text(node);
    }

    static ToolOrder order(FileTool tool, String inputJson, String factsSha256) {
        String name = tool.descriptor().name();
        return new ToolOrder(
                name,
                new ToolInvocation("call-1", 1, "run-1", "session-1", "user:test", inputJson, 0),
                "agent",
                Set.of(),
                Confinement.STRICTEST,
                factsSha256,
                false);
    }

    static ConfinedResult run(FileTool tool, String inputJson) throws InterruptedException {
        return tool.run(order(tool, inputJson, ""));
    }

    static JsonNode succeeded(FileTool tool, Object... fields) throws InterruptedException {
        ConfinedResult result = run(tool, input(fields));
        assertEquals(Outcome.SUCCEEDED, result.outcome(), result.result().error());
        assertTrue(result.result().success());
        assertEquals("builtin", result.executor());
        String links = tool instanceof ApplyPatchTool ? "refused" : "within-workspace";
        assertEquals("none fs=beneath-workspace links=" + links, result.enforcement());
        return StrictJson.parse(result.result().outputJson(), "the output");
    }

    static String failed(FileTool tool, Object... fields) throws InterruptedException {
        ConfinedResult result = run(tool, input(fields));
        assertEquals(Outcome.FAILED, result.outcome(), result.result().outputJson());
        String all = result.result().outputJson() + result.result().error();
        assertTrue(!all.contains(SENTINEL), all);
        return result.result().error();
    }

    static ToolExamination examine(FileTool tool, Object... fields) {
        return tool.examine(
                new ToolProposed(
                        tool.descriptor().name(), input(fields), "s", "user:test", "agent"));
    }

    static CallFacts facts(FileTool tool, Object... fields) {
        ToolExamination found = examine(tool, fields);
        return assertInstanceOf(ToolExamination.Facts.class, found, found.toString()).facts();
    }

    static void refused(String reasonCode, FileTool tool, Object... fields) {
        ToolExamination found = examine(tool, fields);
        ToolExamination.Refused refused =
                assertInstanceOf(ToolExamination.Refused.class, found, found.toString());
        assertEquals(reasonCode, refused.reasonCode(), refused.reason());
    }

    /** Everything in the workspace: content and permissions by path, links by where they lead. */
    Map<String, String> snapshot() throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(workspace)) {
            for (Path path : (Iterable<Path>) walk::iterator) {
                String name = workspace.relativize(path).toString();
                if (Files.isSymbolicLink(path)) {
                    all.put(name, "-> " + Files.readSymbolicLink(path));
                } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    String content = Files.readString(path, StandardCharsets.ISO_8859_1);
                    all.put(name, Files.getPosixFilePermissions(path) + content);
                } else {
                    all.put(name, "folder");
                }
            }
        }
        return all;
    }
}
