package palyra.sandbox.tierc.macos.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.TemporaryFolder;

class SpecCheckTest {
    @TempDir Path given;
    private Path folder;
    private Path workspace;
    private final Specs specs = new Specs();

    @BeforeEach
    void makeFolders() throws IOException {
        folder = given.toRealPath();
        workspace = Files.createDirectories(folder.resolve("home/w"));
        Files.createDirectories(folder.resolve("home/w/sub"));
        Files.createDirectories(folder.resolve("state"));
        specs.workspace = workspace.toString();
        specs.argv = List.of("/bin/sh");
    }

    private void check() {
        new SpecCheck(folder.resolve("home"), Optional.of(folder.resolve("state")))
                .check(specs.spec());
    }

    private void refused(ErrorCode code) {
        assertEquals(code, assertThrows(PalyraException.class, this::check).code());
    }

    @Test
    void passesAnOrdinaryCommand() {
        specs.workingFolder = workspace.resolve("sub").toString();
        check();
    }

    @Test
    void refusesWorkspacesThatHoldMoreThanTheirOwn() {
        specs.workspace = folder.resolve("home").toString();
        refused(ErrorCode.DENIED);
        specs.workspace = folder.toString();
        refused(ErrorCode.DENIED);
        specs.workspace = folder.resolve("state").toString();
        refused(ErrorCode.DENIED);
        specs.workspace = "/usr";
        refused(ErrorCode.DENIED);
        specs.workspace = "/";
        refused(ErrorCode.DENIED);
    }

    @Test
    void refusesWorkspacesByALinkOrThatAreGone() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), workspace);
        specs.workspace = link.toString();
        refused(ErrorCode.INVALID_ARGUMENT);
        specs.workspace = workspace + "/../w";
        refused(ErrorCode.INVALID_ARGUMENT);
        specs.workspace = folder.resolve("gone").toString();
        refused(ErrorCode.NOT_FOUND);
    }

    @Test
    void refusesWorkingFoldersOutside() {
        specs.workingFolder = folder.resolve("state").toString();
        refused(ErrorCode.DENIED);
    }

    @Test
    void refusesProtectedPathsThatLeaveTheWorkspace() {
        for (String path : List.of("/etc", "../x", "a/../../x", "a/..", "", "a//b/./c")) {
            specs.protectedPaths = List.of(path);
            refused(ErrorCode.INVALID_ARGUMENT);
        }
    }

    @Test
    void refusesProgramsThatCannotBeRun() throws IOException {
        specs.argv = List.of(folder.resolve("none").toString());
        refused(ErrorCode.NOT_FOUND);
        specs.argv = List.of(workspace.toString());
        refused(ErrorCode.INVALID_ARGUMENT);
        specs.argv = List.of(Files.writeString(folder.resolve("text"), "x").toString());
        refused(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void refusesAProxyThatIsGone() {
        specs.proxyFolder = Optional.of(folder.resolve("proxy").toString());
        refused(ErrorCode.TOOL_UNAVAILABLE);
    }

    @Test
    void refusesVariablesThatRunCodeBeforeTheSandbox() {
        for (String name :
                List.of(
                        "DYLD_INSERT_LIBRARIES",
                        "DYLD_FRAMEWORK_PATH",
                        "BASH_ENV",
                        "ENV",
                        "SHELLOPTS",
                        "PS4",
                        "LD_PRELOAD")) {
            specs.environment = Map.of(name, "x");
            refused(ErrorCode.DENIED);
        }
        specs.environment = Map.of("ulimit", "() { echo x; }");
        refused(ErrorCode.DENIED);
        specs.environment = Map.of("BASH_FUNC_ulimit%%", "() { echo x; }");
        refused(ErrorCode.INVALID_ARGUMENT);
        specs.environment = Map.of("A", "x\0y");
        refused(ErrorCode.INVALID_ARGUMENT);
        specs.environment = Map.of("GIT_AUTHOR_NAME", "Anna");
        check();
    }

    @Test
    void environmentOfACommandIsWhatWasAskedAndWhatTheSandboxSets() {
        Map<String, String> environment =
                LaunchEnvironment.of(
                        Map.of("A", "1", "HOME", "/x", "http_proxy", "http://evil"),
                        "/t",
                        Optional.of("http://u:s@127.0.0.1:1"));
        assertEquals("1", environment.get("A"));
        assertEquals("/t", environment.get("HOME"));
        assertEquals("/t", environment.get("TMPDIR"));
        for (String name : List.of("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")) {
            assertEquals("http://u:s@127.0.0.1:1", environment.get(name));
        }
        assertEquals("", environment.get("no_proxy"));
        assertFalse(LaunchEnvironment.of(Map.of(), "/t", Optional.empty()).containsKey("no_proxy"));
    }

    @Test
    void protectedPathsAreFollowedThroughLinks() throws IOException {
        Files.createDirectories(workspace.resolve("real/hooks"));
        Files.createSymbolicLink(workspace.resolve(".git"), Path.of("real"));
        specs.protectedPaths = List.of(".git/hooks");
        ProtectedRules rules = ProtectedRules.of(specs.spec());
        assertEquals(workspace + "/.git/hooks", rules.parameters().get("KEEP0"));
        assertEquals(workspace + "/real/hooks", rules.parameters().get("KEEP1"));
        assertEquals(workspace + "/.git", rules.parameters().get("ABOVE0"));
        assertEquals(workspace + "/real", rules.parameters().get("ABOVE1"));
    }

    @Test
    void scratchFoldersAreRemovedWithAllThatIsInThem() throws IOException {
        TemporaryFolder scratch = TemporaryFolder.make();
        Path outside = Files.writeString(folder.resolve("keep"), "x");
        Path closed = Files.createDirectories(scratch.path().resolve("a/b"));
        Files.writeString(closed.resolve("f"), "x");
        Files.createSymbolicLink(closed.resolve("l"), outside);
        Files.setPosixFilePermissions(closed, java.util.Set.of());
        assertEquals("rwx------", permissions(scratch.path()));
        scratch.close();
        assertFalse(Files.exists(scratch.path()));
        assertEquals("x", Files.readString(outside));
    }

    private static String permissions(Path path) throws IOException {
        return java.nio.file.attribute.PosixFilePermissions.toString(
                Files.getPosixFilePermissions(path));
    }
}
