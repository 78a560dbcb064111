package palyra.sandbox.tierc.linux.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Scripts that run inside of the sandbox before the command: constants, with all variable parts as
 * arguments.
 *
 * <p>Processes are limited here because the kernel counts them per user and user namespace:
 * outside, the gateway's own threads would count. dash calls the option {@code -p}, bash {@code
 * -u}, where {@code -p} always fails. Variables begin with {@code PALYRA_}, which no command's
 * environment may.
 */
final class InnerScripts {
    private static final String LIMIT =
            "ulimit -p \"$1\" 2>/dev/null || ulimit -u \"$1\" 2>/dev/null || {"
                    + " echo 'palyra: the number of processes cannot be limited' >&2; exit 125; };"
                    + " shift; ";

    /** Address 127.0.0.1:3128, listening, as {@code /proc/net/tcp} writes it (little-endian). */
    private static final String LISTENING = "0100007F:0C38 0A";

    /** Waits up to five seconds for the bridge, in steps of 20 ms. */
    private static final String BRIDGE =
            "PALYRA_BRIDGE=$1; shift; \"$PALYRA_BRIDGE\""
                    + " TCP-LISTEN:3128,bind=127.0.0.1,fork,reuseaddr"
                    + " UNIX-CONNECT:/run/sbx/e.sock </dev/null >/dev/null 2>&1 & "
                    + "palyra_up() { while read -r PALYRA_A PALYRA_B PALYRA_C PALYRA_D PALYRA_E;"
                    + " do [ \"$PALYRA_B $PALYRA_D\" = '"
                    + LISTENING
                    + "' ] && return 0; done </proc/net/tcp; return 1; }; PALYRA_N=0;"
                    + " until palyra_up; do PALYRA_N=$((PALYRA_N+1));"
                    + " [ $PALYRA_N -le 250 ] || { echo 'palyra: the bridge to the egress proxy did"
                    + " not start' >&2; exit 125; }; sleep 0.02; done; ";

    private static final String RUN = "exec \"$@\"";

    private InnerScripts() {}

    /** Returns what bubblewrap executes for a command without a proxy. */
    static List<String> plain(int processes, List<String> command) {
        return script(LIMIT + RUN, List.of(Integer.toString(processes)), command);
    }

    /** Returns what it executes for a command whose network is a proxy. */
    static List<String> bridged(int processes, String socat, List<String> command) {
        return script(LIMIT + BRIDGE + RUN, List.of(Integer.toString(processes), socat), command);
    }

    private static List<String> script(String text, List<String> first, List<String> command) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", text, "sh"));
        words.addAll(first);
        words.addAll(command);
        return words;
    }
}
