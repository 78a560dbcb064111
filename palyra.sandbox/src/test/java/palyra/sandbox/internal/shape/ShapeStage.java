package palyra.sandbox.internal.shape;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressProxies;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolProposed;
import palyra.sandbox.internal.fetch.FetchTools;
import palyra.sandbox.internal.files.FileTools;
import palyra.sandbox.internal.guard.HostPrograms;
import palyra.sandbox.internal.output.OutputFiles;
import palyra.sandbox.internal.process.BackgroundProcesses;
import palyra.sandbox.internal.process.CommandExaminer;
import palyra.sandbox.internal.process.CommandPreparer;
import palyra.sandbox.internal.process.Configurations;
import palyra.sandbox.internal.process.Preflight;
import palyra.sandbox.internal.process.ProcessRunTool;
import palyra.sandbox.internal.process.ProcessStartTool;
import palyra.sandbox.internal.process.ProcessToolService;
import palyra.sandbox.internal.process.WorkspaceBinding;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.OwnPorts;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.run.SessionSandboxes;
import palyra.sandbox.internal.workspace.ProtectedPaths;
import palyra.sandbox.internal.workspace.WorkspaceStates;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.gate.Gate;

/**
 * A workspace with files and a repository, and a search path with files that only look like
 * programs: nothing is started here. All tools are the real ones, and interpreters are allowed, so
 * that what they would do is judged and not refused.
 */
final class ShapeStage implements AutoCloseable {
    static final String AGENT = "agent";
    private static final String PROGRAMS =
            "git ls cat head tail wc grep rg stat du df pwd id uname date sort uniq cut tr diff cmp"
                    + " sha256sum sha512sum md5sum file basename npm cargo mvn env xargs timeout nice"
                    + " nohup setsid stdbuf script time watch flock strace sudo busybox coreutils"
                    + " parallel ionice chroot unshare sh bash dash python3 perl node awk find make ssh"
                    + " curl mytool tac egrep sdiff rsync tar zip man gcc docker kubectl pytest rm sed"
                    + " npx git-status gprofng gp-collect-app nm ssh-keygen openssl scalar gio rpcgen"
                    + " ld.bfd";

    final Path root;
    final Path workspace;
    private final Map<String, ConfinedTool> tools = new HashMap<>();
    private final Runner runner;
    private final BackgroundProcesses backgrounds;
    private final SessionSandboxes sessions;

    ShapeStage(Path temp) throws IOException {
        root = temp.toRealPath();
        Files.createDirectories(root.resolve("first"));
        Files.createDirectories(root.resolve("bin"));
        for (String name : PROGRAMS.split(" ")) {
            program(root.resolve("bin").resolve(name), "\u007fELF " + name);
        }
        SandboxSettings settings =
                Configurations.settings(
                        root.resolve("workspaces"),
                        Map.of(
                                "allowInterpreters",
                                true,
                                "searchPath",
                                new String[] {root + "/first", root + "/bin"}));
        Workspaces workspaces = new Workspaces(settings.workspaces(), Map.of(), List.of());
        workspace = workspaces.of(AGENT);
        fill();
        Backends backends = new Backends(() -> 100);
        OwnPorts ports = new OwnPorts();
        runner = new Runner(backends, any -> "canary=test", () -> 1, ports);

        backgrounds =
                new BackgroundProcesses(
                        runner, () -> settings, (run, session, outlives) -> Optional.empty());
        sessions = new SessionSandboxes(runner, () -> settings, () -> {}, any -> false);
        Gate<Access> access = new Gate<>("access", ErrorCode.POLICY_UNAVAILABLE, 0);
        Gate<EgressProxies> proxies = new Gate<>("the proxy", ErrorCode.TOOL_UNAVAILABLE, 0);
        ProcessToolService service =
                new ProcessToolService(
                        runner,
                        new CommandPreparer(
                                new Preflight(access),
                                proxies,
                                ports,
                                backends,
                                new WorkspaceBinding(
                                        new WorkspaceStates(root.resolve("states"), () -> 1_000),
                                        runner),
                                sessions,
                                new OutputFiles(settings::workspaces, settings::output)),
                        backgrounds,
                        settings,
                        CommandExaminer.maker(
                                List.of(), new HostPrograms(), new ProgramTrust(Set.of(owner()))));
        for (ConfinedTool tool :
                List.of(
                        new ProcessRunTool(service),
                        new ProcessStartTool(service),
                        FetchTools.examining())) {
            tools.put(tool.descriptor().name(), tool);
        }
        new FileTools(
                        () -> workspaces,
                        () -> ProtectedPaths.NONE,
                        new Gate<>("folders", ErrorCode.TOOL_UNAVAILABLE, 0),
                        (workspace, bytes) -> {})
                .tools()
                .forEach(tool -> tools.put(tool.descriptor().name(), tool));
    }

    private long owner() throws IOException {
        return Integer.toUnsignedLong((Integer) Files.getAttribute(root, "unix:uid"));
    }

    private void fill() throws IOException {
        for (String name : List.of("a.txt", "b.txt", "src/x.java", "docs/z.md", "src/deep/y")) {
            write(workspace.resolve(name), "x\n");
        }
        write(workspace.resolve("package.json"), "{\"scripts\":{\"build\":\"tsc\"}}");
        Files.createDirectories(workspace.resolve("bare"));
        Path git = workspace.resolve(".git");
        Files.createDirectories(git.resolve("objects"));
        Files.createDirectories(git.resolve("refs"));
        write(git.resolve("HEAD"), "ref: refs/heads/main\n");
        write(git.resolve("hooks/pre-commit.sample"), "#!/bin/sh\n");
        write(
                git.resolve("config"),
                "[core]\n\trepositoryformatversion = 0\n\tbare = false\n# comment\n"
                        + "[remote \"origin\"]\n\turl = https://git.example/x\n[user]\n\tname = A\n");
        Files.write(git.resolve("index"), index(0100644));
    }

    /** An index of version 2 with one entry, as gitformat-index(5) says; its checksum is zeros. */
    static byte[] index(int mode) {
        byte[] name = "sub".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer bytes = ByteBuffer.allocate(12 + 72 + 20);
        bytes.putInt(0x44495243).putInt(2).putInt(1);
        bytes.position(12 + 24).putInt(mode);
        bytes.position(12 + 60).putShort((short) name.length).put(name);
        return bytes.array();
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private static void program(Path file, String content) throws IOException {
        write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path path(String text) {
        return text.startsWith("/")
                ? Path.of(text)
                : text.startsWith("ws/")
                        ? workspace.resolve(text.substring(3))
                        : text.matches("(?:bin|first)/.*|\\.\\./first/.*")
                                ? root.resolve(text.replace("../", ""))
                                : workspace.resolve(text);
    }

    /** Changes a file as a case says: a verb, the file, and what the verb needs. */
    void change(JsonNode step) throws IOException {
        Path file = path(step.get(step.get(0).textValue().equals("copy") ? 2 : 1).textValue());
        String more = step.path(2).asText("");
        switch (step.get(0).textValue()) {
            case "copy" -> {
                Path from = path(step.get(1).textValue());
                Files.copy(from, file, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            case "link" -> Files.createSymbolicLink(file, Path.of(more));
            case "relink" -> {
                Files.deleteIfExists(file);
                Files.createSymbolicLink(file, Path.of(more));
            }
            case "append" -> Files.writeString(file, more, StandardOpenOption.APPEND);
            case "write" -> write(file, more);
            case "program" -> program(file, more);
            case "mode" ->
                    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(more));
            case "folder" -> Files.createDirectories(file);
            case "gitlink" -> Files.write(file, index(0160000));
            case "delete" -> Files.delete(file);
            default -> throw new IllegalArgumentException("no such verb: " + step);
        }
    }

    ToolExamination examine(String tool, String inputJson) {
        return tools.get(tool)
                .examine(new ToolProposed(tool, inputJson, "session", "user:anna", AGENT));
    }

    @Override
    public void close() {
        backgrounds.close();
        sessions.close();
        runner.close();
    }
}
