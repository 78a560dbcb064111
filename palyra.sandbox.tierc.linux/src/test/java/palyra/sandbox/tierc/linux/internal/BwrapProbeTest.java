package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.testing.sandbox.FakeLauncher;

/** Finds the exact cause, with programs that fail as real ones do. */
class BwrapProbeTest {
    @TempDir Path folder;
    private TierCBackend backend;

    private BackendStatus look(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("bwrap"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return look(program);
    }

    private BackendStatus look(Path program) throws IOException {
        backend =
                new TierCBackend(
                        new PlainLauncher(folder, FakeLauncher.capable()),
                        new TierCSettings(program.toString(), "", List.of()),
                        folder.resolve("sys"));
        return backend.probe();
    }

    private static String failing(String message) {
        return "[ \"$1\" = --version ] && { echo bubblewrap 0.11.0; exit 0; }; echo '"
                + message
                + "' >&2; exit 1";
    }

    private void setting(String name, String value) throws IOException {
        Path file = folder.resolve("sys").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, value + "\n");
    }

    @Test
    void aMissingBubblewrapIsToBeInstalled() throws IOException {
        BackendStatus status = look(folder.resolve("nowhere"));
        assertEquals(State.REFUSING, status.state());
        assertTrue(status.cause().contains("nowhere"), status.cause());
        assertTrue(status.remedy().contains("apt install bubblewrap"));
        assertEquals(Severity.WARNING, backend.findings().get(0).severity());
        assertEquals(status.remedy(), backend.findings().get(0).remedy());
    }

    @Test
    void anOldBubblewrapIsToBeUpgraded() throws IOException {
        for (String version : List.of("0.7.9", "0.6.2", "0.4.1")) {
            BackendStatus status = look("echo bubblewrap " + version);
            assertTrue(status.cause().contains(version + "; Tier C needs 0.8.0"), status.cause());
            assertTrue(status.remedy().contains("Upgrade"));
        }
        assertTrue(look("echo bubblewrap 1.0").cause().contains("cannot make a sandbox"));
    }

    @Test
    void somethingElseOfThatNameIsNoBubblewrap() throws IOException {
        assertTrue(look("echo hello").cause().contains("does not report its version"));
        assertTrue(look("exit 3").cause().contains("does not report its version"));
    }

    @Test
    void aBubblewrapThatOthersMayWriteIsRefused() throws IOException {
        Path program = Files.writeString(folder.resolve("bwrap"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertTrue(look(program).cause().contains("can be written by others"));
    }

    @Test
    void apparmorIsNamedWithTheProfileThatHelps() throws IOException {
        setting("kernel/apparmor_restrict_unprivileged_userns", "1");
        BackendStatus status = look(failing("bwrap: setting up uid map: Permission denied"));
        assertTrue(status.cause().contains("setting up uid map: Permission denied"));
        assertTrue(status.remedy().contains("/etc/apparmor.d/bwrap"), status.remedy());
        assertTrue(status.remedy().contains("profile bwrap " + folder.resolve("bwrap")));
        assertTrue(
                status.facts().get("userns").contains("apparmor_restrict_unprivileged_userns:1"));
    }

    @Test
    void switchedOffUserNamespacesAreNamedWithTheSetting() throws IOException {
        setting("kernel/unprivileged_userns_clone", "0");
        String message = "bwrap: No permissions to creating new namespace";
        assertTrue(look(failing(message)).remedy().contains("kernel.unprivileged_userns_clone=1"));
        setting("kernel/unprivileged_userns_clone", "1");
        setting("user/max_user_namespaces", "0");
        assertTrue(look(failing(message)).remedy().contains("user.max_user_namespaces"));
        setting("user/max_user_namespaces", "100");
        assertTrue(look(failing(message)).remedy().contains("in a container"));
    }

    @Test
    void aBubblewrapThatBindsNoDescriptorsIsToBeUpgraded() throws IOException {
        BackendStatus status = look(failing("bwrap: Unknown option --bind-fd"));
        assertEquals(State.REFUSING, status.state());
        assertTrue(status.cause().contains("--bind-fd"), status.cause());
        assertTrue(status.remedy().contains("0.10"), status.remedy());
    }

    @Test
    void aBubblewrapThatDoesNotConfineIsRefused() throws IOException {
        String script =
                "[ \"$1\" = --version ] && { echo bubblewrap 0.9.0; exit 0; };"
                        + " echo '{\"exit-code\":0}' >&4; while [ \"$1\" != -- ]; do shift; done;"
                        + " shift; exec \"$@\"";
        BackendStatus status = look(script);
        assertTrue(status.cause().contains("reached a file outside"), status.cause());
    }
}
