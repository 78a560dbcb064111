package palyra.testing.sandbox;

import java.nio.file.Path;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.SandboxBackend;

/** What the main methods of suites have in common, see {@link ChildJvm}. */
public final class Suite {
    private Suite() {}

    /** What a suite tries. */
    public interface Work {
        /** Tries it and prints results. */
        void run(SandboxTestBed stand) throws Exception;
    }

    /**
     * Has a backend look at the host, prints whether it is ready, runs the work and ends the JVM.
     *
     * @param arguments of the main method; the first is a folder of its own
     * @param close closes the backend
     */
    public static void run(String[] arguments, SandboxBackend backend, Runnable close, Work work)
            throws Exception {
        BackendStatus status = backend.probe();
        ProcessLifeRules.say(
                "probe",
                "ready",
                status.state() == State.READY,
                new ProcessEnd(
                        true, 0, status.facts().toString(), status.cause() + status.remedy()));
        try (SandboxTestBed stand = new SandboxTestBed(Path.of(arguments[0]))) {
            work.run(stand);
        }
        close.run();
        System.exit(0);
    }
}
