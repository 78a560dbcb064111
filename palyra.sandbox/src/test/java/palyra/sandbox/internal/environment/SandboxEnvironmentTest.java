package palyra.sandbox.internal.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.tools.EnvironmentSource.Reader;
import palyra.sandbox.internal.process.Configurations;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.FakeBackend;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.workspace.Workspaces;

class SandboxEnvironmentTest {
    private static final int MOST_BYTES = 1_500;

    @TempDir Path folder;
    private final Backends backends = new Backends(() -> 0);
    private final PresentPrograms programs = new PresentPrograms();
    private FakeBackend tierC;
    private SandboxSettings settings;
    private SandboxEnvironment environment;

    @BeforeEach
    void make() {
        tierC = new FakeBackend(Tier.C, folder);
        environment =
                new SandboxEnvironment(
                        () -> settings,
                        () ->
                                new Workspaces(
                                        settings.workspaces(),
                                        settings.agentWorkspaces(),
                                        List.of()),
                        backends,
                        programs,
                        "Linux amd64, Debian GNU/Linux 12 (bookworm)");
        configure(Map.of());
    }

    private void configure(Map<String, ?> values) {
        settings = Configurations.settings(folder.resolve("workspaces"), values);
    }

    private String described(String... tools) {
        String text = environment.describe(new Reader("coder", "coding", Set.of(tools)));
        assertTrue(text.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES, text);
        return text;
    }

    private static void has(String text, String part) {
        assertTrue(text.contains(part), "no '" + part + "' in:\n" + text);
    }

    @Test
    void inTierCItTellsSystemProgramsLimitsNetworkAndFolders() {
        backends.add(tierC, Map.of());
        programs.look(tierC, "f1", names -> Optional.of(List.of("git", "python3")));
        String text = described("palyra.process.shell", "palyra.fs.read_file");
        has(
                text,
                "- System: Linux amd64, Debian GNU/Linux 12 (bookworm). Commands run in a sandbox");
        has(
                text,
                "tier C (namespaces of the kernel) unless policy decides otherwise; policy profile");
        has(text, "policy profile coding.");
        has(
                text,
                "- Programs, of which policy decides on each call: git, python3. Not there: bash, rg,");
        has(text, "- Limits of a command: 120 s, with timeout_ms up to 120 s; 2400 s of processor");
        has(text, "30000 bytes are returned");
        has(text, "- Network: none. 127.0.0.1 is the sandbox's own. Name what a command has to");
        has(text, "the workspace, " + folder.resolve("workspaces/coder") + ", is what stays");
        has(text, "$HOME and /tmp are private and stay for shell calls of this session.");
        assertFalse(text.contains("Protected"), text);
        has(text, "Whole long output is below " + folder.resolve("workspaces/.outputs/coder"));
        assertEquals(text, described("palyra.process.shell", "palyra.fs.read_file"));
        configure(Map.of("gitConfig", "frozen")); // else commands may write its settings
        has(described("palyra.process.shell"), "file tools: .git/hooks, .git/config,");
    }

    @Test
    void ofTheNetworkItSaysWhatIsTrueForTheToolsThatTheAgentHas() {
        backends.add(tierC, Map.of());
        String noSockets = "without session and hosts a program has no sockets at all. Name what";
        String run = described("palyra.process.run");
        has(
                run,
                "- Network: none. 127.0.0.1 is the session's own, with session true; " + noSockets);
        String both = described("palyra.process.start", "palyra.process.shell");
        has(
                both,
                "is the session's own, in palyra.process.shell and with session true; "
                        + noSockets);
        has(described("palyra.process.stop"), "- Network: none. Name what a command");
    }

    @Test
    void ofTheBackgroundItTellsWhoCanAskWhatBecameOfIt() {
        backends.add(tierC, Map.of());
        String blind = described("palyra.process.shell");
        has(blind, "Start nothing in the background: no tool of yours tells what became of it.");
        assertFalse(blind.contains("In the background:"), blind);
        String seeing = described("palyra.process.shell", "palyra.process.status");
        has(seeing, "In the background: ");
        assertFalse(seeing.contains("Start nothing"), seeing);
    }

    @Test
    void withoutAProfileItNamesTheOneThatCounts() {
        backends.add(tierC, Map.of());
        String text = environment.describe(new Reader("coder", "", Set.of("palyra.process.shell")));
        has(text, "; policy profile locked.");
    }

    @Test
    void withoutASandboxItSaysThatCommandsAreRefused() {
        String text = described("palyra.process.run");
        has(text, "There is no sandbox on this host now, so that commands are refused");
        assertFalse(text.contains("Programs"), text);
        has(text, "$HOME and /tmp are private to each call.");
        backends.add(new FakeBackend(Tier.B, folder), Map.of());
        has(described("palyra.process.run"), "There is a sandbox of tier B alone");
        backends.add(tierC, Map.of());
        tierC.status = BackendStatus.refusing("It is blocked.", "Allow it.", Map.of());
        has(described("palyra.process.run"), "There is a sandbox of tier B alone");
    }

    @Test
    void inAPersonsWorkspaceItNamesWhatCommandsMustNotWriteEither() throws Exception {
        backends.add(tierC, Map.of());
        Path own = Files.createDirectory(folder.resolve("own"));
        configure(Map.of("agentWorkspaces", new String[] {"coder=" + own}));
        String text = described("palyra.process.shell", "palyra.fs.read_file");
        has(text, "Protected, also from file tools: .vscode, .idea,");
        has(text, ".mcp.json");
    }

    @Test
    void itFollowsTheConfiguration() {
        backends.add(tierC, Map.of());
        configure(
                Map.of(
                        "allowedHosts",
                        new String[] {"registry.example", "*.mirror.example:8443"},
                        "allowedCommands",
                        new String[] {"make", "git"},
                        "protectedPaths",
                        new String[] {},
                        "outputFileBytes",
                        0L,
                        "memoryBytes",
                        3L << 29,
                        "defaultWallMillis",
                        1_500L));
        String text = described("palyra.process.run");
        has(text, "- Network: only registry.example, *.mirror.example:8443, by the proxy");
        has(text, "- Programs that may be run, no others: git, make.");
        has(text, "1500 ms, with timeout_ms up to 120 s");
        has(text, "1.5 GiB of memory");
        assertFalse(text.contains("Protected"), text);
        assertFalse(text.contains(".outputs"), text);
    }

    @Test
    void longListsAreCut() throws Exception {
        backends.add(tierC, Map.of());
        Path own = Files.createDirectory(folder.resolve("own"));
        configure(
                Map.of(
                        "agentWorkspaces",
                        new String[] {"coder=" + own},
                        "allowedHosts",
                        IntStream.range(0, 100)
                                .mapToObj(i -> "host-" + i + ".example")
                                .toArray(String[]::new),
                        "protectedPaths",
                        IntStream.range(0, 100)
                                .mapToObj(i -> "a-long-name-of-a-folder-".repeat(3) + i)
                                .toArray(String[]::new)));
        String text = described("palyra.process.shell");
        has(text, "host-5.example and 94 more");
        has(text, "and 98 more.");
    }

    @Test
    void whoHasFileToolsAloneIsToldOfFoldersAlone() {
        backends.add(tierC, Map.of());
        String text = described("palyra.fs.read_file", "palyra.echo");
        assertTrue(text.startsWith("- Folders: paths are relative to the workspace, "), text);
        assertEquals("", described("palyra.echo", "palyra.http.fetch"));
    }

    /** The host's search path counts until a sandbox was looked into. */
    @Test
    void programsAreLookedForOnceInASandboxAndAgainWhenItChanged() throws Exception {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Files.createFile(bin.resolve("make")).toFile().setExecutable(true);
        Files.createFile(bin.resolve("git")); // no program
        List<String> path = List.of(bin.toString());
        assertEquals(List.of("make"), programs.in(tierC, path));
        programs.look(tierC, "f1", names -> Optional.empty());
        assertEquals(List.of("make"), programs.in(tierC, path));
        programs.look(tierC, "f1", names -> Optional.of(List.of("git")));
        assertEquals(List.of("git"), programs.in(tierC, path));
        programs.look(tierC, "f1", names -> Optional.of(List.of()));
        assertEquals(List.of("git"), programs.in(tierC, path));
        programs.look(tierC, "f2", names -> Optional.of(List.of("node")));
        assertEquals(List.of("node"), programs.in(tierC, path));
    }

    @Test
    void theSystemIsNamedAsItNamesItself() throws Exception {
        Path release =
                Files.writeString(folder.resolve("r"), "ID=x\nPRETTY_NAME=\"Some Linux 1\"\n");
        assertEquals("Linux amd64, Some Linux 1", SystemName.of("Linux", "amd64", release));
        Files.writeString(release, "PRETTY_NAME=\"\u001b[1m\"\n");
        assertEquals("Linux amd64", SystemName.of("Linux", "amd64", release));
        assertEquals("Mac OS X", SystemName.of("Mac OS X", "", folder.resolve("absent")));
    }
}
