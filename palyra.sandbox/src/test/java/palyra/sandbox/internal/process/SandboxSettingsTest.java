package palyra.sandbox.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.sandbox.internal.run.SandboxSettings;

/** What an operator can set. */
class SandboxSettingsTest {
    private static final Path DEFAULT = Path.of("/var/lib/palyra-workspaces");

    private static SandboxSettings settings(Map<String, ?> values) {
        return SandboxSettings.from(Configurations.of(values), DEFAULT);
    }

    @Test
    void defaultsAreStrict() {
        SandboxSettings settings = settings(Map.of());
        assertEquals(DEFAULT, settings.workspaces());
        assertEquals(Set.of("cgroup"), settings.permitMissing());
        assertTrue(!settings.guard().allowInterpreters());
        List<String> kept = settings.protectedPaths().ofCommands();
        assertTrue(kept.containsAll(List.of(".git/hooks", ".vscode", ".claude", ".cursor")));
        assertTrue(kept.containsAll(List.of(".codex", ".gemini", ".zed", ".ripgreprc")));
        assertFalse(kept.contains("AGENTS.md") || kept.contains("CLAUDE.md"), "agents write them");
        assertEquals(6 * 3_600_000, settings.canaryMillis());
    }

    @Test
    void valuesThatMakeNoSenseAreRefusedByName() {
        Map<String, Object> bad =
                Map.of(
                        "workspaces", "relative",
                        "agentWorkspaces", new String[] {"a=b"},
                        "searchPath", new String[] {"bin"},
                        "protectedPaths", new String[] {"../x"},
                        "readOnlyPaths", new String[] {"opt"},
                        "permitMissing", new String[] {"everything"},
                        "maxRunning", 0,
                        "wallMillis", 1_000_000L,
                        "memoryBytes", -1L);
        bad.forEach(
                (name, value) ->
                        assertThrows(
                                PalyraException.class, () -> settings(Map.of(name, value)), name));
    }

    @Test
    void agentWorkspacesAreRead() {
        SandboxSettings settings =
                settings(Map.of("agentWorkspaces", new String[] {"builder=/srv/build"}));
        assertEquals(Map.of("builder", Path.of("/srv/build")), settings.agentWorkspaces());
    }
}
