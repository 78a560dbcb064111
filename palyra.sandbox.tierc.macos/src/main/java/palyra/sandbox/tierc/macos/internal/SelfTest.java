package palyra.sandbox.tierc.macos.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.files.TemporaryFolder;

/**
 * Runs one command under a profile and looks at what it could do: work in its workspace and speak
 * through a pipe, and nothing of what it must not. The command says what it saw by its exit code;
 * what it left behind is looked at from outside as well.
 */
final class SelfTest {
    static final String SCRIPT =
            """
            echo inside > "$1" || exit 10
            cat "$1" || exit 11
            if (echo out > "$2") 2>/dev/null; then exit 12; fi
            if cat "$3" 2>/dev/null; then exit 13; fi
            if (echo hook > "$4") 2>/dev/null; then exit 14; fi
            /usr/bin/nc -z -w 1 127.0.0.1 "$5" 2>/dev/null
            case $? in 0) exit 15 ;; 12[6-9] | 1[3-9]? | 2??) exit 16 ;; esac
            exit 0
            """;

    private static final Map<Integer, String> MEANING =
            Map.of(
                    10, "the workspace could not be written",
                    11, "a file of the workspace could not be read and printed",
                    12, "a file outside of the workspace could be written",
                    13, "a file outside of the workspace could be read",
                    14, "a protected path could be written",
                    15, "a port of this host could be reached",
                    16, "it could not be tried whether the network is away");
    private static final long RUN_MILLIS = 5_000;
    private static final int ACCEPT_MILLIS = 10;

    private final Starter starter;

    SelfTest(Starter starter) {
        this.starter = starter;
    }

    /**
     * Returns the problem of a profile on this host, as part of a sentence; empty when it works.
     */
    Optional<String> problem(Reading reading) throws InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.make();
                ServerSocket listener =
                        new ServerSocket(
                                0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            Path workspace = Files.createDirectory(folder.path().resolve("workspace"));
            Files.createDirectories(workspace.resolve(".git/hooks"));
            Path secret = Files.writeString(folder.path().resolve("secret"), "secret");
            Path outside = folder.path().resolve("outside");
            Path hook = workspace.resolve(".git/hooks/pre-commit");
            List<String> arguments =
                    List.of(
                            workspace.resolve("inside").toString(),
                            outside.toString(),
                            secret.toString(),
                            hook.toString(),
                            String.valueOf(listener.getLocalPort()));
            Optional<String> said = run(spec(workspace, arguments), reading);
            if (said.isPresent()) {
                return said;
            }
            if (Files.exists(outside) || Files.exists(hook) || reached(listener)) {
                return Optional.of("it did what it said it could not");
            }
            return Optional.empty();
        } catch (IOException | PalyraException e) {
            return Optional.of("the test could not be made: " + e.getMessage());
        }
    }

    private Optional<String> run(SandboxSpec spec, Reading reading)
            throws InterruptedException, IOException {
        try (SandboxProcess process = starter.start(spec, reading, () -> {})) {
            Optional<SandboxProcess.ExitReport> ended = process.await(RUN_MILLIS);
            process.kill();
            if (ended.isEmpty()) {
                return Optional.of("a small command did not end within five seconds");
            }
            SandboxProcess.ExitReport report = ended.get();
            if (!report.started()) {
                return Optional.of("a small command could not be run: " + report.problem());
            }
            if (report.exitCode() != 0) {
                return Optional.of(
                        MEANING.getOrDefault(
                                report.exitCode(),
                                "a small command ended with " + report.exitCode()));
            }
            String printed = new String(process.stdout().readNBytes(64), StandardCharsets.US_ASCII);
            return printed.equals("inside\n")
                    ? Optional.empty()
                    : Optional.of("a small command's output was lost");
        }
    }

    private static SandboxSpec spec(Path workspace, List<String> arguments) {
        List<String> argv =
                new java.util.ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "self-test"));
        argv.addAll(arguments);
        return new SandboxSpec(
                "self-test",
                argv,
                Map.of(),
                workspace.toString(),
                workspace.toString(),
                List.of(".git/hooks", ".git/config"),
                List.of(),
                Egress.STRICT,
                Optional.empty(),
                Set.of(),
                SandboxLimits.DEFAULT,
                Set.of(),
                false);
    }

    private static boolean reached(ServerSocket listener) throws IOException {
        listener.setSoTimeout(ACCEPT_MILLIS);
        try {
            listener.accept().close();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
