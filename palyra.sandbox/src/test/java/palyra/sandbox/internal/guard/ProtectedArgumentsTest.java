package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.CallFacts;
import palyra.sandbox.internal.workspace.ProtectedPaths;
import palyra.shared.tool.FactsDigest;

/** Programs that are known to write what their arguments name are noticed at protected paths. */
class ProtectedArgumentsTest {
    @TempDir Path folder;
    private GuardFixture fixture;

    @BeforeEach
    void open() throws IOException {
        fixture = new GuardFixture(folder);
        Files.createDirectories(fixture.workspace.resolve(".git/hooks"));
        Files.createFile(fixture.workspace.resolve(".bashrc"));
    }

    private GuardVerdict examine(String command, String... arguments) throws IOException {
        return examine(new CommandRequest(command, List.of(arguments), "", Set.of()));
    }

    private GuardVerdict examine(CommandRequest request) throws IOException {
        fixture.program(request.command());
        GuardSettings plain = fixture.settings(false);
        GuardSettings settings =
                new GuardSettings(
                        plain.allowedCommands(),
                        false,
                        plain.searchPath(),
                        plain.readOnlyPaths(),
                        new ProtectedPaths(List.of(".git/hooks", ".bashrc", "**/.git")));
        return new CommandGuard(settings).examine(request, fixture.workspace);
    }

    private void noted(String command, String... arguments) throws IOException {
        GuardFixture.concern("sandbox.path_protected", examine(command, arguments));
    }

    @Test
    void whatIsKnownToWriteAProtectedPathIsNotedBeforeTheStart() throws IOException {
        noted("touch", ".git/hooks/pre-commit");
        noted("rm", "-rf", ".git/hooks");
        noted("cp", "x", ".git/hooks/pre-commit");
        noted("mv", ".bashrc", "y");
        noted("tee", "a/../.bashrc");
        noted("curl", "-o", ".bashrc", "https://example.com/x");
        noted("tee", fixture.workspace.resolve(".bashrc").toString());
    }

    /** As if the guard had recognized the write; a person has to know of all that is below. */
    @Test
    void whatTheCallerSaysThatItWritesIsNotedWithWhatIsBelow() throws IOException {
        GuardVerdict verdict =
                examine(
                        new CommandRequest(
                                "make", List.of(), "", Set.of(), Set.of(".git", ".bashrc")));
        String workspace = fixture.workspace.toString();
        Set<String> paths =
                Set.of(workspace + "/.git", workspace + "/.git/hooks", workspace + "/.bashrc");
        Concern concern = GuardFixture.concern("sandbox.path_protected", verdict);
        assertEquals(Concern.Kind.PROTECTED, concern.kind());
        assertEquals(paths, concern.paths());
        CallFacts facts = GuardFixture.found(verdict).facts();
        assertTrue(facts.flags().contains("!protected"), facts.toString());
        assertEquals(paths, facts.writePaths());
        CallFacts silent = GuardFixture.found(examine("make")).facts();
        assertFalse(silent.flags().contains("!protected"), silent.toString());
        assertNotEquals(FactsDigest.of(silent), FactsDigest.of(facts));
    }

    @Test
    void aLinkToAProtectedPathIsNoWayAround() throws IOException {
        Files.createSymbolicLink(fixture.workspace.resolve("way"), Path.of(".git/hooks"));
        noted("cp", "x", "way/pre-commit");
    }

    @Test
    void readingItAndWritingBesideItGoOn() throws IOException {
        GuardFixture.unchanged(examine("cat", ".git/hooks/pre-commit"), ".git/hooks/pre-commit");
        GuardFixture.unchanged(examine("cp", ".bashrc", "copy"), ".bashrc", "copy");
        GuardFixture.unchanged(examine("rm", ".git/index.lock"), ".git/index.lock");
        GuardFixture.unchanged(examine("git", "add", ".bashrc"), "add", ".bashrc");
        GuardFixture.unchanged(examine("touch", "sub/.bashrc"), "sub/.bashrc");
    }

    @Test
    void withoutAListNothingIsProtected() throws IOException {
        GuardFixture.unchanged(fixture.examine("touch", ".bashrc"), ".bashrc");
    }
}
