package palyra.itests.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import palyra.itests.Wait;

/** The worker processes of one gateway's wasmtime, and the native libraries that lie about. */
final class WasmtimeWorkers {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String MAIN = "palyra.skills.engine.wasmtime.internal.worker.WorkerMain";

    private final UnprivilegedGateway gateway;

    WasmtimeWorkers(UnprivilegedGateway gateway) {
        this.gateway = gateway;
    }

    /** Returns the JVMs that are workers of this gateway, not what started them, oldest first. */
    List<ProcessHandle> alive() {
        String folder = gateway.state().resolve("wasmtime-worker").toString();
        return ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .filter(each -> isJava(each.info()) && commandLine(each).contains(folder))
                .filter(each -> commandLine(each).contains(MAIN))
                .sorted(Comparator.comparing(ProcessHandle::pid))
                .toList();
    }

    private static boolean isJava(ProcessHandle.Info info) {
        return info.command().orElse("").endsWith("/java");
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        } catch (IOException e) {
            return ""; // it ended meanwhile
        }
    }

    /** Returns the one worker that there is; waits for it. */
    ProcessHandle one() throws Exception {
        Wait.until("one worker", PATIENCE, () -> alive().size() == 1, () -> "there are " + alive());
        return alive().get(0);
    }

    /** The kernel ends a worker; returns when it is gone. */
    static void kill(ProcessHandle worker) throws Exception {
        worker.destroyForcibly();
        Wait.until("the worker to be gone", () -> !worker.isAlive());
    }

    /** Returns the wasmtime libraries that lie in the gateway's folders. */
    List<Path> libraries() throws IOException {
        try (Stream<Path> files = Files.walk(gateway.own())) {
            return files.filter(file -> file.getFileName().toString().contains("wasmtime"))
                    .filter(file -> file.toString().endsWith(".so"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns what of wasmtime the gateway's own process has mapped, which is to be nothing. */
    List<String> mappedByTheGateway() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + gateway.pid() + "/maps")).stream()
                .filter(line -> line.contains("wasmtime_jni"))
                .toList();
    }
}
