package palyra.api.core.sandbox;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Starts processes on POSIX systems with limits and kernel filters in force before their first
 * instruction, and ends them with everything that they started. For sandbox backends. Thread-safe.
 */
@ProviderType
public interface ProcessLauncher {
    /** Returns what this kernel and host have; looked up once, cheap afterwards. */
    HostFacts host();

    /**
     * Starts a process.
     *
     * @throws palyra.api.PalyraException NOT_FOUND or INVALID_ARGUMENT when the program cannot be
     *     executed, DENIED when the gateway runs with root's rights, TOOL_UNAVAILABLE when the plan
     *     asks for a kernel feature that is missing, RESOURCE_EXHAUSTED when the system has no
     *     process or descriptor left. Nothing runs then.
     */
    SandboxProcess launch(LaunchPlan plan);

    /** Looks again at the host, such as after cgroups were delegated. */
    HostFacts refresh();
}
