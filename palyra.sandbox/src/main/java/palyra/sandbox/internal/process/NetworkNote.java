package palyra.sandbox.internal.process;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.core.access.Confinement.Egress;
import palyra.sandbox.internal.run.RunResult;

/**
 * Tells a model why a command did not reach the network. Programs tell of names that cannot be
 * resolved, or of missing sockets, as if the host were at fault. Stateless.
 */
final class NetworkNote {
    private static final int ROOM = 16_384;

    /** What programs say of a network that is not there. */
    private static final List<String> SAID =
            List.of(
                    "EAI_AGAIN",
                    "ENOTFOUND",
                    "EAFNOSUPPORT",
                    "Address family not supported",
                    "Could not resolve host",
                    "Temporary failure in name resolution",
                    "Name or service not known",
                    "UnknownHostException",
                    "Network is unreachable");

    /** What ssh(1) says when it does not get to a host; git hands it on. */
    private static final Pattern SSH =
            Pattern.compile(
                    "ssh: (?:Could not resolve hostname|connect to host)"
                            + " (?<host>[A-Za-z0-9.-]{1,253})[: ]");

    private NetworkNote() {}

    /** Returns the host that a command says it wanted by ssh; any command may say so of any. */
    private static Optional<String> sshHost(String said) {
        Matcher found = SSH.matcher(said);
        return found.find() ? Optional.of(found.group("host")) : Optional.empty();
    }

    private static String said(RunResult result) {
        return result.stderr().end(ROOM) + "\n" + result.stdout().end(ROOM);
    }

    private static String ofSsh(String host) {
        return "The command says that ssh did not reach "
                + host
                + ": ssh does not go by the proxy, which leads to hosts by http and https. Take"
                + " https://"
                + host
                + "/… in place of ssh:// and git@"
                + host
                + ":, with "
                + host
                + " in hosts unless it is reached anyway.";
    }

    /** Returns the note about what a command wrote; empty when it says nothing of the kind. */
    static String of(PreparedCommand prepared, RunResult result) {
        if (prepared.order().spec().egress() != Egress.STRICT || result.exitCode() == 0) {
            return "";
        }
        String said = said(result);
        Optional<String> ssh = sshHost(said);
        if (ssh.isPresent()) {
            return ofSsh(ssh.get());
        }
        if (SAID.stream().noneMatch(said::contains)) {
            return "";
        }
        return prepared.reachesHosts()
                ? "Hosts are reached by the proxy in HTTPS_PROXY alone: java needs"
                        + " $PALYRA_JAVA_OPTIONS, and Node before version 24 does not use the proxy"
                        + " by itself."
                : "This command had no network. Name the hosts that it has to reach in hosts"
                        + " (policy decides, a person may be asked)"
                        + (prepared.session().isPresent()
                                ? "."
                                : "; for servers of its own set session to true.");
    }
}
