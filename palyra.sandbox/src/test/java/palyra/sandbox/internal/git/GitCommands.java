package palyra.sandbox.internal.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Commands with the real git in a workspace, and what is undone after them. */
abstract class GitCommands {
    static final List<String> NAMES = List.of(".vscode", ".mcp.json", ".config/fish");

    @TempDir Path folder;
    Path workspace;
    Path records;
    GitProtection protection;
    final List<Path> unheld = new ArrayList<>();

    @BeforeEach
    void prepare() throws IOException {
        workspace = Files.createDirectory(folder.toRealPath().resolve("workspace"));
        records = folder.resolve("records");
        protection = new GitProtection(records);
    }

    String sh(String script) throws Exception {
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-ec", script);
        shell.directory(workspace.toFile()).redirectErrorStream(true);
        Map<String, String> environment = shell.environment();
        environment.putAll(GitChoice.DEFAULT.environment(folder, "agent"));
        environment.put("HOME", folder.toString());
        environment.put("GIT_ALLOW_PROTOCOL", "file");
        Process process = shell.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), script + ": " + said);
        return said.strip();
    }

    /** Runs a script as a command; returns what was undone. */
    List<String> command(String script) throws Exception {
        GitProtection.Call call = protection.begin(workspace, NAMES, List.of());
        try {
            sh(script);
        } finally {
            assertTrue(Files.exists(records), "it is recorded before the start");
        }
        return call.end();
    }

    void harmless(String script) throws Exception {
        assertEquals(List.of(), command(script), script);
    }

    void undone(int count, String part, String script) throws Exception {
        List<String> notes = command(script);
        assertEquals(count, notes.size(), script + ": " + notes);
        assertTrue(
                notes.toString().toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)),
                notes.toString());
        assertEquals(List.of(), command("true"), "nothing is left to be undone");
    }

    void repository() throws Exception {
        harmless("git init -q . && echo a > a && git add a && git commit -qm first");
    }
}
