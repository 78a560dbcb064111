package palyra.sandbox.internal.canary;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.sandbox.internal.run.RunOutcome;
import palyra.sandbox.internal.run.RunResult;

/**
 * What is tried on a sandbox: real commands with nothing but a shell and what every system has,
 * each with the denial that is expected, and beside them commands that must work, so that a sandbox
 * in which nothing runs at all does not pass. What needs a program that is not installed is left
 * out and named.
 */
final class Battery {
    /** Largest file that a command of the battery may write. */
    static final long FILE_BYTES = 1L << 20;

    private static final long PATIENT_MILLIS = 20_000;
    private static final long SHORT_MILLIS = 500;

    /** Below it a number may well be that of another process in a namespace of its own. */
    private static final long FIRST_TELLING_PID = 300;

    private static final String DONE = Verdicts.DONE;
    private static final String ESCAPED = Verdicts.ESCAPED;
    private static final Predicate<Facts> ALWAYS = facts -> true;

    private final String shell;
    private final Site site;
    private final Verdicts verdicts;
    private final List<Probe> probes = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    /**
     * @param ownEnvironment environment of the gateway, nothing of which may show inside
     * @throws PalyraException TOOL_UNAVAILABLE without a shell
     */
    Battery(Site site, Map<String, String> ownEnvironment) {
        this.site = site;
        this.verdicts = new Verdicts(ownEnvironment);
        this.shell =
                Programs.find("sh")
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.TOOL_UNAVAILABLE,
                                                "There is no /bin/sh to test sandboxes with."));
        controls();
        files();
        processes();
        kernel();
        network();
        limits();
    }

    List<Probe> probes() {
        return List.copyOf(probes);
    }

    List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    private void controls() {
        add("runs", ALWAYS, "echo up", verdicts::finished);
        add(
                "reads_and_writes_inside",
                ALWAYS,
                "cat plain && echo x > made && test -s made && rm made && echo inside-works",
                (run, at) -> verdicts.says(run, at, "inside-works"));
        add(
                "signals_its_own",
                ALWAYS,
                "sleep 60 & p=$!; kill -0 $p && kill $p && echo own-signal",
                (run, at) -> verdicts.says(run, at, "own-signal"));
    }

    private void files() {
        String outside = quoted(site.outside());
        denied("read_outside", Facts::files, "cat " + outside + "/secret && echo " + ESCAPED);
        denied("list_outside", Facts::files, "ls " + outside + " && echo " + ESCAPED);
        denied(
                "read_by_link",
                Facts::files,
                "ln -s " + outside + "/secret way && cat way && echo " + ESCAPED);
        denied(
                "read_by_proc",
                Facts::files,
                "cat /proc/self/root" + outside + "/secret && echo " + ESCAPED);
        denied(
                "hard_link_outside",
                Facts::files,
                "ln " + outside + "/secret hard && cat hard && echo " + ESCAPED);
        denied("read_shadow", ALWAYS, "head -c1 /etc/shadow && echo " + ESCAPED);
        denied(
                "write_system",
                ALWAYS,
                "echo x > /usr/.canary && rm /usr/.canary && echo " + ESCAPED);
        add(
                "write_outside",
                Facts::files,
                "echo x > " + outside + "/made; echo " + DONE,
                (run, at) ->
                        Files.exists(at.outside().resolve("made"))
                                ? Optional.of("It wrote a file outside.")
                                : verdicts.finished(run, at));
    }

    private void processes() {
        long own = ProcessHandle.current().pid();
        if (own < FIRST_TELLING_PID) {
            leftOut.add("signal_gateway (the gateway's process id is " + own + ")");
        } else {
            denied("signal_gateway", Facts::signals, "kill -0 " + own + " && echo " + ESCAPED);
        }
        add(
                "daemon_dies",
                ALWAYS,
                "(trap '' HUP; sleep 600 >/dev/null 2>&1 &) ; echo " + DONE,
                verdicts::finished);
        add("environment", ALWAYS, "env; echo " + DONE, verdicts::environment);
    }

    private void kernel() {
        needs(
                "mount",
                "mount",
                Facts::kernel,
                "mkdir m; mount -t tmpfs none m && umount m && echo " + ESCAPED);
        needs("unshare", "unshare", Facts::kernel, "unshare -Ur true && echo " + ESCAPED);
    }

    private void network() {
        Optional<String> bash = Programs.find("bash");
        if (bash.isEmpty()) {
            leftOut.add("tcp (bash is not installed)");
        } else {
            connect("tcp_strict", Egress.STRICT, bash.get(), site.otherPort(), ALWAYS);
            connect("tcp_own_port", Egress.NONE, bash.get(), site.forbiddenPort(), Facts::ports);
            connect("tcp_works", Egress.NONE, bash.get(), site.otherPort(), ALWAYS);
        }
        if (site.hasSocket() && Programs.find("socat").isPresent()) {
            String connect = "socat -T1 -u UNIX-CONNECT:" + quoted(site.outside()) + "/s /dev/null";
            add(
                    "unix_socket",
                    ALWAYS,
                    connect + "; echo " + DONE,
                    (run, at) ->
                            at.socketReached()
                                    ? Optional.of("It reached a Unix socket outside.")
                                    : verdicts.finished(run, at));
        } else {
            leftOut.add("unix_socket (socat is not installed, or the path is too long)");
        }
    }

    /** One way works and the others do not: that is what tells a denial from a dead network. */
    private void connect(
            String id, Egress egress, String bash, int port, Predicate<Facts> required) {
        List<String> argv =
                List.of(bash, "-c", "exec 3<>/dev/tcp/127.0.0.1/" + port + "; echo " + DONE);
        boolean works = id.equals("tcp_works");
        BiFunction<RunResult, Site, Optional<String>> verdict =
                (run, at) -> {
                    boolean reached =
                            port == at.otherPort()
                                    ? at.otherPortReached()
                                    : at.forbiddenPortReached();
                    return reached == works
                            ? Optional.empty()
                            : Optional.of(
                                    works
                                            ? "It cannot connect although nothing forbids it."
                                            : "It reached a port of this host.");
                };
        probes.add(new Probe(id, egress, argv, PATIENT_MILLIS, required, verdict));
    }

    private void limits() {
        add(
                "file_size",
                ALWAYS,
                "head -c " + 2 * FILE_BYTES + " /dev/zero > big; echo " + DONE,
                (run, at) ->
                        Verdicts.size(at.workspace().resolve("big")) > FILE_BYTES
                                ? Optional.of("It wrote a file larger than it may.")
                                : verdicts.finished(run, at));
        probes.add(
                new Probe(
                        "deadline",
                        Egress.STRICT,
                        List.of(shell, "-c", "trap '' TERM; sleep 600; sleep 600"),
                        SHORT_MILLIS,
                        ALWAYS,
                        (run, at) ->
                                run.outcome() == RunOutcome.TIMED_OUT
                                        ? Optional.empty()
                                        : Optional.of("It ended " + run.outcome() + ".")));
    }

    private void needs(String id, String program, Predicate<Facts> required, String script) {
        if (Programs.find(program).isPresent()) {
            denied(id, required, script);
        } else {
            leftOut.add(id + " (" + program + " is not installed)");
        }
    }

    /** Adds a command that must come to its end without having said that it got out. */
    private void denied(String id, Predicate<Facts> required, String script) {
        add(id, required, script + "; echo " + DONE, verdicts::finished);
    }

    private void add(
            String id,
            Predicate<Facts> required,
            String script,
            BiFunction<RunResult, Site, Optional<String>> verdict) {
        probes.add(
                new Probe(
                        id,
                        Egress.STRICT,
                        List.of(
                                shell,
                                "-c",
                                script.endsWith(DONE) ? script : script + "; echo " + DONE),
                        PATIENT_MILLIS,
                        required,
                        verdict));
    }

    /** Quotes a path for the shell; one with a quote in it was not made by {@link Site}. */
    private static String quoted(Path path) {
        if (path.toString().indexOf('\'') >= 0) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The folder " + path + " has a quote in its name; sandboxes cannot be tested.");
        }
        return "'" + path + "'";
    }
}
