package palyra.shared.confine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;

/** What no backend takes, whoever asks. */
class SpecChecksTest {
    @TempDir Path folder;
    private String workspace;

    @BeforeEach
    void prepare() throws IOException {
        workspace = Files.createDirectory(folder.toRealPath().resolve("w")).toString();
    }

    private void check(
            String program,
            Map<String, String> environment,
            String place,
            String start,
            List<String> readOnly) {
        SpecChecks.check(
                new SandboxSpec(
                        "call",
                        List.of(program),
                        environment,
                        place,
                        start,
                        List.of(),
                        readOnly,
                        Egress.STRICT,
                        Optional.empty(),
                        Set.of(),
                        SandboxLimits.DEFAULT,
                        Set.of(),
                        false),
                List.of());
    }

    private void refused(ErrorCode code, Runnable check) {
        assertEquals(code, assertThrows(PalyraException.class, check::run).code());
    }

    private void place(ErrorCode code, String place) {
        refused(code, () -> check("/usr/bin/env", Map.of(), place, place, List.of()));
    }

    private void shown(ErrorCode code, String path) {
        refused(code, () -> check("/usr/bin/env", Map.of(), workspace, workspace, List.of(path)));
    }

    @Test
    void anOrdinaryOrderPasses() {
        check("/usr/bin/env", Map.of("A_1", "b"), workspace, workspace, List.of("/opt/none"));
        check("/bin/sh", Map.of(), workspace, workspace, List.of("/etc/passwd"));
    }

    @Test
    void foldersOfTheSystemAreNoWorkspaces() {
        for (String place : List.of("/", "/usr", "/etc", "/proc", "/dev", "/home", "/usr/share")) {
            place(ErrorCode.DENIED, place);
        }
        place(ErrorCode.NOT_FOUND, workspace + "/none");
        place(ErrorCode.INVALID_ARGUMENT, workspace + "/.");
    }

    @Test
    void aWorkspaceIsNamedByItsRealPath() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of(workspace));
        place(ErrorCode.INVALID_ARGUMENT, link.toString());
        Path file = Files.createFile(folder.toRealPath().resolve("file"));
        place(ErrorCode.INVALID_ARGUMENT, file.toString());
    }

    @Test
    void aCommandStartsInItsWorkspace() throws IOException {
        Path below = Files.createDirectory(Path.of(workspace, "below"));
        check("/usr/bin/env", Map.of(), workspace, below.toString(), List.of());
        refused(
                ErrorCode.INVALID_ARGUMENT,
                () ->
                        check(
                                "/usr/bin/env",
                                Map.of(),
                                workspace,
                                Path.of(workspace).getParent().toString(),
                                List.of()));
    }

    @Test
    void viewsOfTheKernelAndSocketsOfServicesAreNeverShown() throws IOException {
        for (String path : List.of("/", "/proc", "/proc/self", "/sys", "/dev", "/run", "/tmp")) {
            shown(ErrorCode.DENIED, path);
        }
        shown(ErrorCode.INVALID_ARGUMENT, "relative");
        shown(ErrorCode.INVALID_ARGUMENT, "/opt/../proc");
        shown(ErrorCode.INVALID_ARGUMENT, "/opt/");
        Path link = Files.createSymbolicLink(folder.resolve("p"), Path.of("/proc"));
        shown(ErrorCode.DENIED, link.toString());
    }

    @Test
    void programsOutOfSightAreRefusedBeforeTheyFail() throws IOException {
        Path outside = Files.createFile(folder.toRealPath().resolve("tool"));
        assertTrue(outside.toFile().setExecutable(true));
        refused(
                ErrorCode.INVALID_ARGUMENT,
                () -> check(outside.toString(), Map.of(), workspace, workspace, List.of()));
        check(
                outside.toString(),
                Map.of(),
                workspace,
                workspace,
                List.of(outside.getParent().toString()));
        refused(
                ErrorCode.NOT_FOUND,
                () -> check("/usr/bin/none", Map.of(), workspace, workspace, List.of()));
        refused(
                ErrorCode.INVALID_ARGUMENT,
                () -> check("/usr", Map.of(), workspace, workspace, List.of()));
    }

    @Test
    void variablesThatActBeforeTheLimitsAreRefused() {
        for (String name : List.of("LD_AUDIT", "BASH_FUNC_ls", "PALYRA_N", "LOCPATH")) {
            refused(
                    ErrorCode.DENIED,
                    () ->
                            check(
                                    "/usr/bin/env",
                                    Map.of(name, "x"),
                                    workspace,
                                    workspace,
                                    List.of()));
        }
        for (String name : List.of("", "A B", "1A", "A=", "\u00e9")) {
            refused(
                    ErrorCode.INVALID_ARGUMENT,
                    () ->
                            check(
                                    "/usr/bin/env",
                                    Map.of(name, "x"),
                                    workspace,
                                    workspace,
                                    List.of()));
        }
    }
}
