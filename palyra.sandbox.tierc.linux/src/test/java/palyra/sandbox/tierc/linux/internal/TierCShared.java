package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.sandbox.SharedSandbox;
import palyra.testing.sandbox.Abuse;
import palyra.testing.sandbox.Abuses;
import palyra.testing.sandbox.Attempts;
import palyra.testing.sandbox.Launchers;
import palyra.testing.sandbox.ProcessEnd;
import palyra.testing.sandbox.ProcessLifeRules;
import palyra.testing.sandbox.SandboxTestBed;
import palyra.testing.sandbox.Suite;

/** Commands that share a sandbox: the list of abuses, and what they share; as another user. */
public final class TierCShared {
    private static final String MODE = "shared";
    private static final int PATIENCE_MILLIS = 20_000;

    private final TierCBackend backend;
    private final SandboxTestBed stand;
    private final Attempts attempts;
    private final Path workspace;
    private SharedSandbox sandbox;

    private TierCShared(TierCBackend backend, SandboxTestBed stand) throws Exception {
        this.backend = backend;
        this.stand = stand;
        this.workspace = stand.workspace("workspace-shared");
        this.attempts = new Attempts(new Sharing(), stand);
    }

    /** Runs below the folder of the first argument. */
    public static void main(String[] arguments) throws Exception {
        TierCBackend backend = TierCStress.backend(Launchers.real());
        Suite.run(
                arguments, backend, backend::close, stand -> new TierCShared(backend, stand).all());
    }

    private void all() throws Exception {
        try (SandboxProcess holder = hold("session-1")) {
            for (List<Abuse> list :
                    List.of(
                            Abuses.FILES,
                            Abuses.METADATA,
                            Abuses.KERNEL,
                            Abuses.NETWORK,
                            Abuses.NAMESPACES)) {
                attempts.all(
                        MODE,
                        Egress.STRICT,
                        Optional.empty(),
                        workspace,
                        list.stream().filter(TierCShared::counts).toList());
            }
            say("holder_lives", holder.await(0).isEmpty(), new ProcessEnd(true, 0, "", ""));
        }
        shares();
        killed();
        behindAProxy();
        ended();
        otherSessionsAreApart();
    }

    /** Listening is what a shared sandbox is for; its temporary files are bounded as a folder. */
    private static boolean counts(Abuse abuse) {
        return !abuse.id().equals("n06_listen")
                && !abuse.id().equals("fs04_home_list")
                && !abuse.id().equals("fs24_tmp_fill")
                && !abuse.id().contains("fork");
    }

    private SandboxProcess hold(String id) throws Exception {
        Path folders = Files.createDirectories(stand.host().getParent().resolve(id));
        SharedSandbox made =
                new SharedSandbox(
                        id,
                        Files.createDirectories(folders.resolve("home")).toRealPath().toString(),
                        Files.createDirectories(folders.resolve("tmp")).toRealPath().toString(),
                        Optional.empty());
        SandboxProcess holder =
                backend.hold(
                        attempts.spec(
                                        Egress.STRICT,
                                        Optional.empty(),
                                        workspace,
                                        List.of("/bin/true"))
                                .in(made));
        sandbox = made.heldBy(holder);
        return holder;
    }

    private ProcessEnd script(String script) throws Exception {
        return script(Optional.empty(), script);
    }

    private ProcessEnd script(Optional<String> proxy, String script) throws Exception {
        SandboxSpec spec =
                attempts.spec(Egress.STRICT, proxy, workspace, List.of("/bin/bash", "-c", script));
        try (SandboxProcess process = backend.start(spec.in(sandbox))) {
            return ended(process);
        }
    }

    /** As the runner does: what the command left running is not killed. */
    private static ProcessEnd ended(SandboxProcess process) throws Exception {
        StringBuilder output = new StringBuilder();
        Thread out = read(process.stdout(), output);
        StringBuilder problem = new StringBuilder();
        Thread err = read(process.stderr(), problem);
        ExitReport report = process.await(PATIENCE_MILLIS).orElseThrow();
        out.join(PATIENCE_MILLIS);
        err.join(PATIENCE_MILLIS);
        return new ProcessEnd(
                report.started(), report.exitCode(), output.toString(), report.problem() + problem);
    }

    private static Thread read(InputStream stream, StringBuilder into) {
        return Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                into.append(
                                        new String(stream.readAllBytes(), StandardCharsets.UTF_8));
                            } catch (IOException e) {
                                into.append(e);
                            }
                        });
    }

    private static void say(String id, boolean fine, ProcessEnd end) {
        ProcessLifeRules.say(MODE, id, fine, end);
    }

    private void expect(String id, String output, ProcessEnd end) {
        say(id, end.started() && end.exitCode() == 0 && end.output().strip().equals(output), end);
    }

    private void shares() throws Exception {
        try (SandboxProcess holder = hold("session-2")) {
            ProcessEnd server =
                    script(
                            "(while :; do echo served | socat -u STDIN TCP-LISTEN:8765,bind=127.0.0.1,"
                                    + "reuseaddr; done) >/dev/null 2>&1 & echo kept > /tmp/f;"
                                    + " echo cached > ~/f; sleep 0.5");
            say("server_starts", server.started() && server.exitCode() == 0, server);
            expect(
                    "server_answers_the_next",
                    "served",
                    script("socat -u TCP:127.0.0.1:8765,retry=50,interval=0.1 -"));
            expect("temporary_files_stay", "kept", script("cat /tmp/f"));
            expect(
                    "home_stays",
                    "cached",
                    script("cat ~/f && [ $HOME = /home/sandbox ]; cat <&-; :"));
            expect("processes_are_seen", "yes", script("[ $(pgrep -c socat) -ge 1 ] && echo yes"));
            expect(
                    "unix_sockets_of_its_own",
                    "unix",
                    script(
                            "echo unix | socat -u STDIN UNIX-LISTEN:/tmp/s & i=0;"
                                    + " while [ ! -S /tmp/s ] && [ $i -lt 100 ]; do sleep 0.1;"
                                    + " i=$((i+1)); done; socat -u UNIX:/tmp/s -"));
            expect("exit_codes", "", script("(exit 0)"));
            expect(
                    "wrappers_do_not_repeat_the_command",
                    "survives",
                    script(
                            "pkill -f '[b]wrap.*zebra'; pkill -f '[/]bin/sh.*zebra'; echo survives"));
            expect(
                    "odd_words",
                    "it's \"a\"\n$b",
                    script("printf '%s\\n' \"it's \\\"a\\\"\n\\$b\""));
            expect("words_are_gone", "", script("env | grep PALYRA_WORDS; :"));
            expect(
                    "terminal",
                    "3",
                    script("script -qec 'tty >/dev/null; exit 3' /dev/null; echo $?"));
            ProcessEnd seven = script("exit 7");
            say("exit_7", seven.started() && seven.exitCode() == 7, seven);
            ProcessEnd out = script("echo x > /etc/x || echo x > /usr/x");
            say("root_is_read_only", out.exitCode() != 0, out);
            ProcessEnd holderOfHost = script("cat /proc/1/root/etc/shadow /proc/2/root/etc/passwd");
            say("holders_files_are_out_of_reach", holderOfHost.exitCode() != 0, holderOfHost);
            ProcessEnd enters =
                    script(
                            "nsenter -t 2 -m -- true || nsenter -t 1 -U --preserve-credentials true");
            say("cannot_enter_the_holder", enters.exitCode() != 0, enters);
            ProcessEnd traces = script("echo x > /proc/2/mem || dd if=/proc/2/mem count=1");
            say("cannot_write_the_holders_memory", traces.exitCode() != 0, traces);
            say(
                    "enforcement",
                    enforcement().contains(" ns=user,mnt shared=session-2:pid,ipc,uts,net "),
                    new ProcessEnd(true, 0, enforcement(), ""));
            expect("protected_stay", "", script("! mkdir .vscode/x && ! rm -r .vscode"));
        }
    }

    private String enforcement() throws Exception {
        SandboxSpec spec =
                attempts.spec(Egress.STRICT, Optional.empty(), workspace, List.of("/bin/true"));
        try (SandboxProcess process = backend.start(spec.in(sandbox))) {
            process.await(PATIENCE_MILLIS);
            return process.enforcement();
        }
    }

    /** A command that is killed takes its processes with it, and leaves those of others. */
    private void killed() throws Exception {
        try (SandboxProcess holder = hold("session-3")) {
            script("sleep 4242 >/dev/null 2>&1 &");
            SandboxSpec spec =
                    attempts.spec(
                            Egress.STRICT,
                            Optional.empty(),
                            workspace,
                            List.of("/bin/sh", "-c", "setsid sleep 4343 & sleep 4344"));
            try (SandboxProcess process = backend.start(spec.in(sandbox))) {
                process.await(500);
                int left = process.kill();
                say("killed_whole", left == 0, new ProcessEnd(true, left, "", ""));
            }
            expect("others_go_on", "1", script("pgrep -fc '^sleep 4242'"));
            expect("its_own_are_gone", "0", script("pgrep -fc '^sleep 434'; :"));
        }
        say("gone_with_the_holder", !running("sleep 4242"), new ProcessEnd(true, 0, "", ""));
    }

    private boolean running(String command) throws Exception {
        return stand.outside("pgrep -f '^" + command + "' >/dev/null", workspace) == 0;
    }

    private void behindAProxy() throws Exception {
        Path folder = Files.createDirectory(stand.host().getParent().resolve("proxy-shared"));
        stand.unix(
                folder.resolve("e.sock"),
                "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nPROXY\n");
        Optional<String> proxy = Optional.of(folder.toString());
        try (SandboxProcess holder = hold("session-4")) {
            expect("proxy", "PROXY", script(proxy, "curl -s -m 10 http://allowed.test/"));
            expect("bridge_ends_with_its_command", "0", script("pgrep -fc '^[^ ]*socat'; :"));
            ProcessEnd direct = script("curl -s -m 5 http://127.0.0.1:$HT/");
            say("no_way_around", direct.exitCode() != 0, direct);
        }
        hostSockets(proxy);
        laterHostSockets(proxy);
    }

    /** A socket that the host makes after the session began is no more in reach than one before. */
    private void laterHostSockets(Optional<String> proxy) throws Exception {
        Path socket = workspace.resolve("later.sock");
        String own = workspace + "/own.sock";
        try (SandboxProcess holder = hold("session-9")) {
            script(
                    "(while :; do echo mine | socat -u STDIN UNIX-LISTEN:"
                            + own
                            + ",unlink-early; done) >/dev/null 2>&1 & i=0; while [ ! -S "
                            + own
                            + " ] && [ $i -lt 100 ]; do sleep 0.1; i=$((i+1)); done");
            expect("own_socket_in_the_workspace", "mine", script("socat -u UNIX:" + own + " -"));
            stand.unix(socket, "of the host");
            ProcessEnd reached = script("socat -u UNIX:later.sock -");
            say(
                    "later_host_socket_without_a_proxy",
                    reached.exitCode() != 0 && !reached.output().contains("of the host"),
                    reached);
            String cause = "";
            try {
                script(proxy, "true");
            } catch (palyra.api.PalyraException e) {
                cause = e.getMessage();
            }
            say(
                    "later_host_socket_with_a_proxy",
                    cause.contains("A Unix socket is at " + socket),
                    new ProcessEnd(true, 0, cause, ""));
        } finally {
            Files.deleteIfExists(socket);
            Files.deleteIfExists(Path.of(own));
        }
    }

    /** With a way to a proxy a command may make Unix sockets, and so reach those of the host. */
    private void hostSockets(Optional<String> proxy) throws Exception {
        Path socket = workspace.resolve("host.sock");
        stand.unix(socket, "of the host");
        String cause = "";
        try (SandboxProcess holder = hold("session-8")) {
            ProcessEnd without = script("socat -u UNIX:host.sock -");
            say("host_socket_without_a_proxy", without.exitCode() != 0, without);
            script(proxy, "true");
        } catch (palyra.api.PalyraException e) {
            cause = e.getMessage();
        } finally {
            Files.delete(socket);
        }
        say(
                "host_socket_with_a_proxy",
                cause.contains("A Unix socket is at"),
                new ProcessEnd(true, 0, cause, ""));
    }

    /** Nothing runs in a sandbox that has ended. */
    private void ended() throws Exception {
        SandboxProcess holder = hold("session-5");
        holder.close();
        String cause = "";
        try {
            script("true");
        } catch (palyra.api.PalyraException e) {
            cause = e.getMessage();
        }
        say(
                "nothing_after_the_end",
                cause.contains("has ended"),
                new ProcessEnd(true, 0, cause, ""));
    }

    private void otherSessionsAreApart() throws Exception {
        try (SandboxProcess first = hold("session-6")) {
            script(
                    "echo secret > /tmp/f; (echo x | socat -u STDIN TCP-LISTEN:8766) >/dev/null 2>&1 &");
            try (SandboxProcess second = hold("session-7")) {
                ProcessEnd other =
                        script("cat /tmp/f || socat -u TCP:127.0.0.1:8766 - || pgrep socat");
                say("apart", other.exitCode() != 0 || other.output().isBlank(), other);
            }
        }
    }

    /** Runs every command in the shared sandbox. */
    private final class Sharing implements SandboxBackend {
        @Override
        public Tier tier() {
            return backend.tier();
        }

        @Override
        public String executor() {
            return backend.executor();
        }

        @Override
        public BackendStatus status() {
            return backend.status();
        }

        @Override
        public void check(SandboxSpec spec) {
            backend.check(spec.in(sandbox));
        }

        @Override
        public SandboxProcess start(SandboxSpec spec) {
            return backend.start(spec.in(sandbox));
        }

        @Override
        public BackendStatus probe() {
            return backend.probe();
        }
    }
}
