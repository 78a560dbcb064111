package palyra.sandbox.internal.guard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Programs whose operands are hosts, or URLs that may lack a scheme. */
final class NetworkPrograms {
    private static final Map<String, Integer> USUAL_PORTS = new HashMap<>();
    private static final Set<String> KNOW_REMOTE_PATHS =
            Set.of("rsync", "scp", "sftp", "ssh", "git", "docker", "podman", "kubectl", "rclone");
    private static final Set<String> PORT_OPERANDS = Set.of("nc", "ncat", "netcat", "telnet");
    private static final Set<String> VALUED = // options whose value is no host
            Set.copyOf(
                    List.of(
                            ("-o -O -d -H -X -u -A -e -b -c -T -F -K -m -w -E -r -C -y -Y -z -D -Q -P -p -l"
                                            + " -i -J -L -R -S -W -t -U -Q -a -q -s --data --data-raw"
                                            + " --data-binary --data-urlencode --output --header --request"
                                            + " --user --user-agent --referer --cookie --cookie-jar"
                                            + " --upload-file --form --max-time --connect-timeout --retry"
                                            + " --write-out --cert --key --cacert --range --json"
                                            + " --output-document --post-data --post-file --tries"
                                            + " --timeout --method --body-data --body-file --level --limit-rate"
                                            + " --directory-prefix --url-query --proto --dump-header")
                                    .split(" ")));

    static {
        put("curl wget http xh aria2c lynx w3m links axel", 80);
        put("https", 443);
        put("ssh mosh sftp", 22);
        put("ftp lftp", 21);
        put("telnet", 23);
        put("ping ping6 traceroute tracepath mtr dig host nslookup whois nc ncat netcat nmap", 0);
    }

    private NetworkPrograms() {}

    private static void put(String programs, int port) {
        for (String program : programs.split(" ", -1)) {
            USUAL_PORTS.put(program, port);
        }
    }

    /** Returns the port that a program takes when none is said, 0 when there is no usual one. */
    static Optional<Integer> portOf(FoundProgram program) {
        return program.names().stream()
                .filter(USUAL_PORTS::containsKey)
                .sorted()
                .findFirst()
                .map(USUAL_PORTS::get);
    }

    /** Whether {@code host:path} is somewhere else for a program. */
    static boolean knowsRemotePaths(FoundProgram program) {
        return program.isAny(KNOW_REMOTE_PATHS);
    }

    /** Whether a number among the operands is a port. */
    static boolean takesPorts(FoundProgram program) {
        return program.isAny(PORT_OPERANDS);
    }

    /** Whether the argument after this one is a value and no host. */
    static boolean hasValue(String option) {
        return VALUED.contains(option);
    }
}
