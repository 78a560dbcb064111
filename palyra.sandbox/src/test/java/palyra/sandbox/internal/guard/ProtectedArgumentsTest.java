package palyra.sandbox.internal.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.sandbox.internal.workspace.ProtectedPaths;

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
        fixture.program(command);
        GuardSettings plain = fixture.settings(false);
        GuardSettings settings =
                new GuardSettings(
                        plain.allowedCommands(),
                        false,
                        plain.searchPath(),
                        plain.readOnlyPaths(),
                        new ProtectedPaths(List.of(".git/hooks", ".bashrc", "**/.git")));
        return new CommandGuard(settings)
                .examine(
                        new CommandRequest(command, List.of(arguments), "", Set.of()),
                        fixture.workspace);
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
