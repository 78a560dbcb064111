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

    /** The kernel itself moves and links from one folder to another: nothing is copied. */
    private static final String RENAMES =
            "mkdir -p from/folder to && echo x > from/file && echo y > from/folder/file &&"
                    + " perl -e 'rename(\"from/file\", \"to/file\") or exit 1;"
                    + " rename(\"from/folder\", \"to/folder\") or exit 2;"
                    + " link(\"to/file\", \"from/again\") or exit 3' &&"
                    + " [ \"$(cat to/file to/folder/file from/again | tr -d '\\n')\" = xyx ] &&"
                    + " rm -r from to";

    private static final String RENAME_OUT =
            "echo x > mine; perl -e 'rename(\"mine\", \"$ENV{HOST}/mine\") and exit 1;"
                    + " rename(\"$ENV{HOST}/other.txt\", \"theirs\") and exit 2;"
                    + " link(\"$ENV{HOST}/secret.txt\", \"theirs\") and exit 3'; r=$?; rm mine; exit $r";

    /** A server that a client of the same command reaches. */
    private static final String SERVE =
            " listen(S, 1) or exit 2; socket(C, $f, SOCK_STREAM, 0) or exit 3;"
                    + " connect(C, getsockname(S)) or exit 4; accept(T, S) or exit 5;"
                    + " syswrite(C, \"x\") == 1 or exit 6; sysread(T, $x, 1) == 1 or exit 7";

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
            ProcessLifeRules rules = new ProcessLifeRules(backend, stand, workspace);
            rules.all(mode, egress, Optional.empty());
            ProcessEnd moved = rules.script(egress, Optional.empty(), RENAMES);
            ProcessLifeRules.say(mode, "renames_across_folders", moved.exitCode() == 0, moved);
            ProcessEnd out = rules.script(egress, Optional.empty(), RENAME_OUT);
            ProcessLifeRules.say(mode, "renames_nothing_out_or_in", out.exitCode() == 0, out);
        }
        attempts.all("strict", Egress.STRICT, Optional.empty(), workspace, Abuses.OFFLINE);
        attempts.all("strict", Egress.STRICT, Optional.empty(), workspace, limits());
        attempts.all("preflight", Egress.PREFLIGHT, Optional.empty(), workspace, Abuses.NETWORK);
        ProcessLifeRules lives = new ProcessLifeRules(backend, stand, workspace);
        lives.once("strict");
        ProcessEnd open = lives.script(Egress.NONE, Optional.empty(), "./netp tcp $OT");
        ProcessLifeRules.say("none", "other_ports_are_reachable", open.exitCode() == 0, open);
        binds(lives);
        lives.refused(
                "strict",
                "allow_list_needs_tier_c",
                attempts.spec(Egress.STRICT, Optional.of("/tmp"), workspace, List.of("/bin/true")),
                "DENIED");
        enforcement(backend, attempts, workspace);
    }

    /** Servers of a command are on loopback, where it has the host's network, and nowhere else. */
    private static void binds(ProcessLifeRules lives) throws Exception {
        for (String address :
                List.of("127.0.0.1 0", "127.8.9.10 0", "::1 0", "::ffff:127.0.0.1 0")) {
            ProcessEnd server = lives.script(Egress.NONE, Optional.empty(), bind(address, SERVE));
            ProcessLifeRules.say("none", "binds " + address, server.exitCode() == 0, server);
        }
        for (String address : List.of("0.0.0.0 0", ":: 0", "127.0.0.1 $HT", "127.0.0.1 80")) {
            ProcessEnd refused = lives.script(Egress.NONE, Optional.empty(), bind(address, ""));
            ProcessLifeRules.say("none", "not " + address, refused.exitCode() == 13, refused);
        }
        ProcessEnd offline =
                lives.script(Egress.STRICT, Optional.empty(), bind("127.0.0.1 0", SERVE));
        ProcessLifeRules.say("strict", "binds_nothing", offline.exitCode() != 0, offline);
    }

    /** Ends with the error number of bind(2), 1 when there is no socket, 0 when all went well. */
    private static String bind(String addressAndPort, String then) {
        return "perl -MSocket=:all -e '($a, $p) = @ARGV; $f = $a =~ /:/ ? AF_INET6 : AF_INET;"
                + " $n = inet_pton($f, $a); socket(S, $f, SOCK_STREAM, 0) or exit 1;"
                + " setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);"
                + " $s = $f == AF_INET ? pack_sockaddr_in($p, $n) : pack_sockaddr_in6($p, $n);"
                + " bind(S, $s) or exit $!;"
                + then
                + "' "
                + addressAndPort;
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
                                    + " rlimits=cpu,fsize,nofile,core network=offline"
                                    + " nproc=[a-z]+ metadata=beneath protected=none.*"),
                    new ProcessEnd(true, 0, said, ""));
        }
    }
}
