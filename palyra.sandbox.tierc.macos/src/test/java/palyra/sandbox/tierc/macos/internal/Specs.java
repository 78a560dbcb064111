package palyra.sandbox.tierc.macos.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;

/** Commands for tests, changed step by step. */
final class Specs {
    List<String> argv = List.of("/bin/ls", "-l");
    Map<String, String> environment = Map.of();
    String workspace = "/Users/anna/projects/one";
    String workingFolder = "";
    List<String> protectedPaths = List.of(".git/hooks", ".git/config", ".vscode", ".mcp.json");
    List<String> readOnlyPaths = new ArrayList<>();
    Egress egress = Egress.STRICT;
    Optional<String> proxyFolder = Optional.empty();
    Set<Integer> forbiddenPorts = Set.of(7142, 7443);
    SandboxLimits limits = SandboxLimits.DEFAULT;

    SandboxSpec spec() {
        return new SandboxSpec(
                "call-1",
                argv,
                environment,
                workspace,
                workingFolder.isEmpty() ? workspace : workingFolder,
                protectedPaths,
                readOnlyPaths,
                egress,
                proxyFolder,
                forbiddenPorts,
                limits,
                Set.of(),
                false);
    }

    Specs egress(Egress mode) {
        egress = mode;
        return this;
    }
}
