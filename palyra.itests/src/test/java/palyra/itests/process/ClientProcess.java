package palyra.itests.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The client that ships, {@code palyra COMMAND}, as a process of its own. */
final class ClientProcess {
    private final Process process;

    private ClientProcess(Process process) {
        this.process = process;
    }

    static ClientProcess start(Path home, Path state, String... argv) throws IOException {
        List<String> command = new ArrayList<>();
        // A build in the background may ignore SIGINT, and its children would inherit that.
        command.addAll(List.of("env", "--default-signal=INT", GatewayProcess.java()));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp"));
        command.add(home.resolve("lib/palyra.launcher.jar").toString());
        command.add("palyra.launcher.Client");
        command.addAll(List.of(argv));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PALYRA_STATE", state.toString());
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        return new ClientProcess(builder.start());
    }

    /** Ctrl-C at the terminal. */
    void interrupt() throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new AssertionError("the client is gone already");
        }
    }

    CommandClient.Result end() throws IOException, InterruptedException {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the client does not end");
        }
        return new CommandClient.Result(
                process.exitValue(),
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8),
                new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    }
}
