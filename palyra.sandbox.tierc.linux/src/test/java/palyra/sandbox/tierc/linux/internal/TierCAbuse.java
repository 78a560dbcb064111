package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.testing.sandbox.Abuse;
import palyra.testing.sandbox.Abuses;
import palyra.testing.sandbox.Attempts;
import palyra.testing.sandbox.Launchers;
import palyra.testing.sandbox.ProcessEnd;
import palyra.testing.sandbox.ProcessLifeRules;
import palyra.testing.sandbox.SandboxTestBed;
import palyra.testing.sandbox.Suite;

/** Runs the list against Tier C; started as an unprivileged user. */
public final class TierCAbuse {
    private static final String ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nPROXY\n";

    private final TierCBackend backend;
    private final SandboxTestBed stand;
    private final Attempts attempts;

    private TierCAbuse(TierCBackend backend, SandboxTestBed stand) {
        this.backend = backend;
        this.stand = stand;
        this.attempts = new Attempts(backend, stand);
    }

    /** Runs below the folder of the first argument. */
    public static void main(String[] arguments) throws Exception {
        ProcessLauncher launcher = Launchers.real();
        TierCBackend backend = TierCStress.backend(launcher);
        Suite.run(arguments, backend, backend::close, stand -> all(launcher, backend, stand));
    }

    private static void all(ProcessLauncher launcher, TierCBackend backend, SandboxTestBed stand)
            throws Exception {
        TierCAbuse abuse = new TierCAbuse(backend, stand);
        abuse.alone();
        abuse.behindAProxy();
        abuse.broken(launcher, "missing", "", "was not found");
        abuse.broken(launcher, "old", "echo bubblewrap 0.6.2", "0.6.2; Tier C needs 0.8.0");
        abuse.broken(
                launcher,
                "blocked",
                "[ \"$1\" = --version ] && { echo bubblewrap 0.9.0; exit 0; };"
                        + " echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1",
                "setting up uid map: Permission denied");
    }

    private void alone() throws Exception {
        Path workspace = stand.workspace("workspace");
        stand.unix(workspace.resolve("ws.sock"), "HOSTSOCK\n");
        for (Egress egress : List.of(Egress.STRICT, Egress.NONE)) {
            every(egress.name().toLowerCase(Locale.ROOT), egress, Optional.empty(), workspace);
            attempts.all(
                    egress.name().toLowerCase(Locale.ROOT),
                    egress,
                    Optional.empty(),
                    workspace,
                    Abuses.SOCKET);
        }
        attempts.all("strict", Egress.STRICT, Optional.empty(), workspace, Abuses.OFFLINE);
        attempts.all("preflight", Egress.PREFLIGHT, Optional.empty(), workspace, Abuses.NETWORK);
        ProcessLifeRules lives = new ProcessLifeRules(backend, stand, workspace);
        lives.once("strict");
        ProcessEnd open = lives.script(Egress.NONE, Optional.empty(), "./netp tcp $OT");
        ProcessLifeRules.say("none", "other_ports_are_reachable", open.exitCode() == 0, open);
        enforcement("strict", Egress.STRICT, Optional.empty(), workspace, "offline");
        enforcement("none", Egress.NONE, Optional.empty(), workspace, "host,tcp-except:[0-9]+");
        Path proxy = proxyFolder("other");
        lives.refused(
                "proxy",
                "n04_ws_unix",
                attempts.spec(
                        Egress.STRICT,
                        Optional.of(proxy.toString()),
                        workspace,
                        List.of("/bin/true")),
                "DENIED");
    }

    private void every(String mode, Egress egress, Optional<String> proxy, Path workspace)
            throws Exception {
        for (List<Abuse> list :
                List.of(
                        Abuses.FILES,
                        Abuses.METADATA,
                        Abuses.KERNEL,
                        Abuses.NETWORK,
                        Abuses.NAMESPACES)) {
            List<Abuse> fitting =
                    list.stream()
                            .filter(one -> proxy.isEmpty() || !"n06_listen".equals(one.id()))
                            .filter(one -> mode.equals("strict") || !one.id().contains("fork"))
                            .toList();
            attempts.all(mode, egress, proxy, workspace, fitting);
        }
        new ProcessLifeRules(backend, stand, workspace).all(mode, egress, proxy);
    }

    private Path proxyFolder(String name) throws Exception {
        Path folder = Files.createDirectory(stand.host().getParent().resolve("proxy-" + name));
        stand.unix(folder.resolve("e.sock"), ANSWER);
        return folder;
    }

    private void behindAProxy() throws Exception {
        Path workspace = stand.workspace("workspace-proxy");
        Optional<String> proxy = Optional.of(proxyFolder("own").toString());
        every("proxy", Egress.STRICT, proxy, workspace);
        ProcessLifeRules lives = new ProcessLifeRules(backend, stand, workspace);
        works(lives, proxy, "curl", "curl -s -m 10 http://allowed.test/ | grep -q PROXY");
        works(lives, proxy, "variables", "[ \"$https_proxy\" = http://127.0.0.1:3128 ]");
        works(lives, proxy, "command_keeps_its_stdin", "[ -z \"$(cat)\" ]");
        fails(lives, proxy, "no_way_around", "curl -s -m 5 --noproxy '*' http://127.0.0.1:$OT/");
        fails(lives, proxy, "no_names", "getent hosts example.com");
        fails(lives, proxy, "other_proxy", "ls \"$HOST/../proxy-other\"");
        fails(
                lives,
                proxy,
                "proxy_folder_is_fixed",
                "echo x > /run/sbx/x || rm -f /run/sbx/e.sock");
        enforcement("proxy", Egress.STRICT, proxy, workspace, "proxy");
        Files.delete(Path.of(proxy.orElseThrow(), "e.sock"));
        lives.refused(
                "proxy",
                "no_proxy_no_start",
                attempts.spec(Egress.STRICT, proxy, workspace, List.of("/bin/true")),
                "TOOL_UNAVAILABLE");
    }

    /** Has a backend look at a bubblewrap that does not work; empty for none at all. */
    private void broken(ProcessLauncher launcher, String id, String script, String cause)
            throws Exception {
        Path program = stand.host().resolve("bwrap-" + id);
        if (!script.isEmpty()) {
            Files.writeString(program, "#!/bin/sh\n" + script + "\n");
            program.toFile().setExecutable(true);
        }
        TierCBackend other =
                new TierCBackend(
                        launcher,
                        new TierCSettings(program.toString(), "", List.of()),
                        Path.of("/proc/sys"));
        BackendStatus status = other.probe();
        ProcessLifeRules.say(
                "probe",
                "L33_" + id,
                status.state() == State.REFUSING && status.cause().contains(cause),
                new ProcessEnd(false, -1, status.cause(), status.remedy()));
        other.close();
    }

    private static void works(
            ProcessLifeRules lives, Optional<String> proxy, String id, String script)
            throws Exception {
        ProcessEnd trial = lives.script(Egress.STRICT, proxy, script);
        ProcessLifeRules.say("proxy", id, trial.started() && trial.exitCode() == 0, trial);
    }

    private static void fails(
            ProcessLifeRules lives, Optional<String> proxy, String id, String script)
            throws Exception {
        ProcessEnd trial = lives.script(Egress.STRICT, proxy, script);
        ProcessLifeRules.say("proxy", id, trial.started() && trial.exitCode() != 0, trial);
    }

    private void enforcement(
            String mode, Egress egress, Optional<String> proxy, Path workspace, String network)
            throws Exception {
        try (SandboxProcess process =
                backend.start(attempts.spec(egress, proxy, workspace, List.of("/bin/true")))) {
            String said = process.enforcement();
            ProcessLifeRules.say(
                    mode,
                    "enforcement",
                    said.matches(
                            egress.name().toLowerCase(Locale.ROOT)
                                    + " tier=c bwrap=[0-9.]+ ns=user,mnt,pid,ipc,uts(,net)?"
                                    + " caps=none seccomp=sha256:[0-9a-f]{64}( landlock=[0-9]+)?"
                                    + " rlimits=cpu,fsize,nofile,core network="
                                    + network
                                    + " nproc=inner protected=[0-9]+ repositories=[0-9]+.*"),
                    new ProcessEnd(true, 0, said, ""));
        }
    }
}
