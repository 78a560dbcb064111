package palyra.sandbox.internal.canary;

import static palyra.sandbox.internal.canary.ProbeList.ALWAYS;
import static palyra.sandbox.internal.canary.ProbeList.PATIENT_MILLIS;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import palyra.api.core.access.Confinement.Egress;
import palyra.sandbox.internal.run.RunResult;

/** What a battery tries on the network: ports of this host, and a Unix socket outside. */
final class NetworkProbes {
    private static final String DONE = ProbeChecks.DONE;

    private final ProbeList list;
    private final CanaryEnvironment environment;
    private final ProbeChecks verdicts;

    NetworkProbes(ProbeList list, CanaryEnvironment environment, ProbeChecks verdicts) {
        this.list = list;
        this.environment = environment;
        this.verdicts = verdicts;
    }

    void add() {
        Optional<String> bash = SystemPrograms.find("bash");
        if (bash.isEmpty()) {
            list.leaveOut("tcp (bash is not installed)");
        } else {
            connect("tcp_strict", Egress.STRICT, bash.get(), environment.otherPort(), ALWAYS);
            connect(
                    "tcp_own_port",
                    Egress.NONE,
                    bash.get(),
                    environment.forbiddenPort(),
                    EnforcementFacts::ports);
            connect("tcp_works", Egress.NONE, bash.get(), environment.otherPort(), ALWAYS);
        }
        if (environment.hasSocket() && SystemPrograms.find("socat").isPresent()) {
            String connect =
                    "socat -T1 -u UNIX-CONNECT:"
                            + ProbeList.quoted(environment.outside())
                            + "/s /dev/null";
            list.add(
                    "unix_socket",
                    ALWAYS,
                    connect + "; echo " + DONE,
                    (run, at) ->
                            at.socketReached()
                                    ? Optional.of("It reached a Unix socket outside.")
                                    : verdicts.finished(run, at));
        } else {
            list.leaveOut("unix_socket (socat is not installed, or the path is too long)");
        }
    }

    /** One way works and the others do not: that is what tells a denial from a dead network. */
    private void connect(
            String id, Egress egress, String bash, int port, Predicate<EnforcementFacts> required) {
        List<String> argv =
                List.of(bash, "-c", "exec 3<>/dev/tcp/127.0.0.1/" + port + "; echo " + DONE);
        boolean works = id.equals("tcp_works");
        BiFunction<RunResult, CanaryEnvironment, Optional<String>> verdict =
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
        list.add(new Probe(id, egress, argv, PATIENT_MILLIS, required, verdict));
    }
}
