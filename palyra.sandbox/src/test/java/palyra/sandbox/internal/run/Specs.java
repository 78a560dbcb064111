package palyra.sandbox.internal.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;

/** Specifications for tests. */
public final class Specs {
    private static final SandboxLimits PATIENT =
            new SandboxLimits(
                    120_000, 60_000, 512L << 20, 128, 64L << 20, 256, 128L << 10, 64L << 20);

    private final String callId;
    private final Path workspace;
    private SandboxLimits limits = PATIENT;
    private List<String> argv = List.of("/bin/true");
    private boolean stdin;
    private Optional<String> proxyFolder = Optional.empty();

    private Specs(String callId, Path workspace) {
        this.callId = callId;
        this.workspace = workspace;
    }

    static Specs call(String callId, Path workspace) {
        return new Specs(callId, workspace);
    }

    Specs script(String script) {
        argv = List.of("/bin/sh", "-c", script);
        return this;
    }

    Specs argv(List<String> line) {
        argv = line;
        return this;
    }

    Specs wall(long millis) {
        return limits(millis, limits.outputBytes());
    }

    Specs output(long bytes) {
        return limits(limits.wallMillis(), bytes);
    }

    private Specs limits(long wall, long output) {
        limits =
                new SandboxLimits(wall, 60_000, 512L << 20, 128, 64L << 20, 256, output, 64L << 20);
        return this;
    }

    Specs scratch(long bytes) {
        limits =
                new SandboxLimits(120_000, 60_000, 512L << 20, 128, 64L << 20, 256, 1 << 17, bytes);
        return this;
    }

    Specs stdin() {
        stdin = true;
        return this;
    }

    Specs proxy(String folder) {
        proxyFolder = Optional.of(folder);
        return this;
    }

    SandboxSpec build() {
        return new SandboxSpec(
                callId,
                argv,
                Map.of(),
                workspace.toString(),
                workspace.toString(),
                List.of(),
                List.of(),
                Egress.STRICT,
                proxyFolder,
                Set.of(),
                limits,
                Set.of(),
                stdin);
    }
}
