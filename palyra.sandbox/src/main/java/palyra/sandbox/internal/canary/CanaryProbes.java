package palyra.sandbox.internal.canary;

import static palyra.sandbox.internal.canary.ProbeList.ALWAYS;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.core.access.Confinement.Egress;
import palyra.sandbox.internal.run.RunOutcome;

/**
 * The self-tests of a sandbox: real commands that need only a shell and standard utilities, each
 * with the denial that is expected, and beside them commands that must work, so that a sandbox in
 * which nothing runs at all does not pass. What needs a program that is not installed is left out
 * and named.
 */
final class CanaryProbes {
    /** Largest file that a command of the battery may write. */
    static final long FILE_BYTES = 1L << 20;

    private static final long SHORT_MILLIS = 500;

    /** Below it a number may well be that of another process in a namespace of its own. */
    private static final long FIRST_TELLING_PID = 300;

    private static final String DAEMON = "daemon_dies";
    private static final String DONE = ProbeChecks.DONE;
    private static final String ESCAPED = ProbeChecks.ESCAPED;

    private final CanaryEnvironment environment;
    private final ProbeChecks verdicts;
    private final ProbeList list;

    /**
     * @param ownEnvironment environment of the gateway, nothing of which may show inside
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE without a shell
     */
    CanaryProbes(CanaryEnvironment environment, Map<String, String> ownEnvironment) {
        this.environment = environment;
        this.verdicts = new ProbeChecks(ownEnvironment);
        this.list = new ProbeList(verdicts);
        controls();
        files();
        processes();
        kernel();
        new NetworkProbes(list, environment, verdicts).add();
        limits();
    }

    List<Probe> probes() {
        return list.probes();
    }

    /**
     * Returns those that are tried in a sandbox that commands share: all without a network of the
     * host, but for daemons, which go on there; and, in the end, that it is shared.
     */
    List<Probe> shared() {
        List<Probe> shared = new ArrayList<>();
        for (Probe probe : list.probes()) {
            if (probe.egress() == Egress.STRICT && !probe.id().equals(DAEMON)) {
                shared.add(probe.named(CanaryReport.SHARED + probe.id()));
            }
        }
        ProbeList own = new ProbeList(verdicts);
        own.add(
                CanaryReport.SHARED + "leaves",
                ALWAYS,
                "sleep 600 >/dev/null 2>&1 & echo $! > /tmp/left && echo left-it",
                (run, at) -> verdicts.says(run, at, "left-it"));
        own.add(
                CanaryReport.SHARED + "finds",
                ALWAYS,
                "kill -0 $(cat /tmp/left) && echo found-it",
                (run, at) -> verdicts.says(run, at, "found-it"));
        shared.addAll(own.probes());
        return List.copyOf(shared);
    }

    List<String> leftOut() {
        return list.leftOut();
    }

    private void controls() {
        list.add("runs", ALWAYS, "echo up", verdicts::finished);
        list.add(
                "reads_and_writes_inside",
                ALWAYS,
                "cat plain && echo x > made && test -s made && rm made && echo inside-works",
                (run, at) -> verdicts.says(run, at, "inside-works"));
        list.add(
                "signals_its_own",
                ALWAYS,
                "sleep 60 & p=$!; kill -0 $p && kill $p && echo own-signal",
                (run, at) -> verdicts.says(run, at, "own-signal"));
    }

    private void files() {
        String outside = ProbeList.quoted(environment.outside());
        list.denied(
                "read_outside",
                EnforcementFacts::files,
                "cat " + outside + "/secret && echo " + ESCAPED);
        list.denied(
                "list_outside", EnforcementFacts::files, "ls " + outside + " && echo " + ESCAPED);
        list.denied(
                "read_by_link",
                EnforcementFacts::files,
                "ln -s " + outside + "/secret way && cat way && echo " + ESCAPED);
        list.denied(
                "read_by_proc",
                EnforcementFacts::files,
                "cat /proc/self/root" + outside + "/secret && echo " + ESCAPED);
        list.denied(
                "hard_link_outside",
                EnforcementFacts::files,
                "ln " + outside + "/secret hard && cat hard && echo " + ESCAPED);
        list.denied("read_shadow", ALWAYS, "head -c1 /etc/shadow && echo " + ESCAPED);
        list.denied(
                "write_system",
                ALWAYS,
                "echo x > /usr/.canary && rm /usr/.canary && echo " + ESCAPED);
        list.add(
                "write_outside",
                EnforcementFacts::files,
                "echo x > " + outside + "/made; echo " + DONE,
                (run, at) ->
                        Files.exists(at.outside().resolve("made"))
                                ? Optional.of("It wrote a file outside.")
                                : verdicts.finished(run, at));
    }

    private void processes() {
        long own = ProcessHandle.current().pid();
        if (own < FIRST_TELLING_PID) {
            list.leaveOut("signal_gateway (the gateway's process id is " + own + ")");
        } else {
            list.denied(
                    "signal_gateway",
                    EnforcementFacts::signals,
                    "kill -0 " + own + " && echo " + ESCAPED);
        }
        list.add(
                DAEMON,
                ALWAYS,
                "(trap '' HUP; sleep 600 >/dev/null 2>&1 &) ; echo " + DONE,
                verdicts::finished);
        list.add("environment", ALWAYS, "env; echo " + DONE, verdicts::environment);
    }

    private void kernel() {
        list.needs(
                "mount",
                "mount",
                EnforcementFacts::kernel,
                "mkdir m; mount -t tmpfs none m && umount m && echo " + ESCAPED);
        list.needs(
                "unshare",
                "unshare",
                EnforcementFacts::kernel,
                "unshare -Ur true && echo " + ESCAPED);
    }

    private void limits() {
        list.add(
                "file_size",
                ALWAYS,
                "head -c " + 2 * FILE_BYTES + " /dev/zero > big; echo " + DONE,
                (run, at) ->
                        ProbeChecks.size(at.workspace().resolve("big")) > FILE_BYTES
                                ? Optional.of("It wrote a file larger than it may.")
                                : verdicts.finished(run, at));
        list.add(
                new Probe(
                        "deadline",
                        Egress.STRICT,
                        List.of(list.shell(), "-c", "trap '' TERM; sleep 600; sleep 600"),
                        SHORT_MILLIS,
                        ALWAYS,
                        (run, at) ->
                                run.outcome() == RunOutcome.TIMED_OUT
                                        ? Optional.empty()
                                        : Optional.of("It ended " + run.outcome() + ".")));
    }
}
