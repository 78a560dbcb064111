package palyra.sandbox.tierb.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.testing.sandbox.Abuse;
import palyra.testing.sandbox.Abuses;
import palyra.testing.sandbox.Attempts;
import palyra.testing.sandbox.ProcessEnd;
import palyra.testing.sandbox.ProcessLifeRules;
import palyra.testing.sandbox.SandboxTestBed;
import palyra.testing.sandbox.Suite;

/** Runs the list against Tier B; started as an unprivileged user. */
public final class TierBAbuse {
    /** What Tier B does not keep away, and says so. */
    static final List<String> LIMITS = List.of("fs26_git_hook", "pr15_hostname");

    private TierBAbuse() {}

    /** Runs below the folder of the first argument. */
    public static void main(String[] arguments) throws Exception {
        TierBBackend backend = TierBStress.backend();
        Suite.run(arguments, backend, backend::close, stand -> all(backend, stand));
    }

    private static void all(TierBBackend backend, SandboxTestBed stand) throws Exception {
        Path workspace = stand.workspace("workspace");
        stand.unix(workspace.resolve("ws.sock"), "HOSTSOCK\n");
        Attempts attempts = new Attempts(backend, stand);
        for (Egress egress : List.of(Egress.STRICT, Egress.NONE)) {
            String mode = egress.name().toLowerCase(java.util.Locale.ROOT);
            for (List<Abuse> list :
                    List.of(
                            Abuses.FILES,
                            Abuses.METADATA,
                            Abuses.KERNEL,
                            Abuses.NETWORK,
                            Abuses.SOCKET)) {
                attempts.all(mode, egress, Optional.empty(), workspace, list);
            }
            new ProcessLifeRules(backend, stand, workspace).all(mode, egress, Optional.empty());
        }
        attempts.all("strict", Egress.STRICT, Optional.empty(), workspace, Abuses.OFFLINE);
        attempts.all("strict", Egress.STRICT, Optional.empty(), workspace, limits());
        attempts.all("preflight", Egress.PREFLIGHT, Optional.empty(), workspace, Abuses.NETWORK);
        ProcessLifeRules lives = new ProcessLifeRules(backend, stand, workspace);
        lives.once("strict");
        ProcessEnd open = lives.script(Egress.NONE, Optional.empty(), "./netp tcp $OT");
        ProcessLifeRules.say("none", "other_ports_are_reachable", open.exitCode() == 0, open);
        lives.refused(
                "strict",
                "allow_list_needs_tier_c",
                attempts.spec(Egress.STRICT, Optional.of("/tmp"), workspace, List.of("/bin/true")),
                "DENIED");
        enforcement(backend, attempts, workspace);
    }

    private static List<Abuse> limits() {
        return Abuses.NAMESPACES.stream().filter(one -> LIMITS.contains(one.id())).toList();
    }

    private static void enforcement(TierBBackend backend, Attempts attempts, Path workspace)
            throws Exception {
        try (SandboxProcess process =
                backend.start(
                        attempts.spec(
                                Egress.STRICT,
                                Optional.empty(),
                                workspace,
                                List.of("/bin/true")))) {
            String said = process.enforcement();
            ProcessLifeRules.say(
                    "strict",
                    "enforcement",
                    said.matches(
                            "strict tier=b landlock=[0-9]+ seccomp=sha256:[0-9a-f]{64}"
                                    + " rlimits=cpu,(as,)?fsize,nofile,core network=offline"
                                    + " nproc=[a-z]+ metadata=beneath protected=none.*"),
                    new ProcessEnd(true, 0, said, ""));
        }
    }
}
