package palyra.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The archive, unpacked as an operator would, and a state folder for it. */
final class Installation {
    private final Path home;
    private final Path state;

    private Installation(Path home, Path state) {
        this.home = home;
        this.state = state;
    }

    /** Unpacks into {@code folder}, which the gateway's user may enter afterwards. */
    static Installation unpack(Path folder) throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Process tar =
                new ProcessBuilder(
                                "tar",
                                "-xzf",
                                Product.archive().toString(),
                                "--no-same-owner",
                                "-C",
                                folder.toString())
                        .redirectErrorStream(true)
                        .start();
        String complaint = new String(tar.getInputStream().readAllBytes(), UTF_8);
        assertTrue(tar.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, tar.exitValue(), complaint);
        return new Installation(folder.resolve("palyra"), folder.resolve("state"));
    }

    Path state() {
        return state;
    }

    Path readyFile() {
        return state.resolve("run/ready.json");
    }

    /** {@code bin/palyra} with these words, not started; root drops to a user that always is. */
    ProcessBuilder palyra(String... words) {
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/palyra").toString()));
        command.addAll(List.of(words));
        return environment(new ProcessBuilder(command));
    }

    /** The same on a terminal of its own, whose other end is the process's standard streams. */
    ProcessBuilder palyraAtATerminal(String... words) {
        // Without exec a shell that waits for the gateway would report a Ctrl-C as its own end.
        String line = "exec " + home.resolve("bin/palyra") + " " + String.join(" ", words);
        // Whoever runs the tests in the background may have Ctrl-C ignored, which is inherited.
        return environment(
                new ProcessBuilder(
                        "env", "--default-signal=INT", "script", "-qefc", line, "/dev/null"));
    }

    private ProcessBuilder environment(ProcessBuilder process) {
        Map<String, String> environment = process.environment();
        environment.keySet().removeIf(name -> name.startsWith("PALYRA_"));
        environment.put("PALYRA_STATE", state.toString());
        environment.put("PALYRA_READY_FILE", readyFile().toString());
        environment.put("PALYRA_JAVA_HOME", System.getProperty("java.home"));
        environment.put("TERM", "xterm");
        if (new UnixSystem().getUid() == 0) {
            environment.put("PALYRA_USER", "nobody");
        }
        return process.redirectErrorStream(true);
    }

    /** Runs a command of the gateway and gives what it printed. */
    String command(String... words) throws IOException, InterruptedException {
        Process process = palyra(words).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), printed);
        return printed;
    }
}
