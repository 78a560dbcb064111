package palyra.sandbox.tierc.linux.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.shared.text.ShellWords;

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

    /** Port of the bridge where the network is the command's own. */
    static final int PORT = 3128;

    /**
     * Starts the bridge and waits until it listens: until it sleeps and the network has another
     * number of TCP sockets than before. Both are cheap to ask, while {@code /proc/net/tcp} takes
     * milliseconds on a machine with much memory; it is asked only where the number is as before,
     * because other commands of the session open and close sockets too. The first thousand looks
     * follow each other at once, for the bridge takes a few milliseconds; then come five seconds in
     * steps of 20 ms. Arguments: the bridge, its port, and its address when it listens, as {@code
     * /proc/net/tcp} writes it.
     */
    private static final String BRIDGE =
            "PALYRA_BRIDGE=$1; PALYRA_PORT=$2; PALYRA_UP=$3; shift 3; palyra_count() {"
                    + " while read -r PALYRA_A PALYRA_B PALYRA_I PALYRA_C;"
                    + " do [ \"$PALYRA_A\" = TCP: ] && return; done </proc/net/sockstat; };"
                    + " palyra_count; PALYRA_WAS=$PALYRA_I; \"$PALYRA_BRIDGE\""
                    + " TCP-LISTEN:\"$PALYRA_PORT\",bind=127.0.0.1,fork,reuseaddr"
                    + " UNIX-CONNECT:/run/sbx/e.sock </dev/null >/dev/null 2>&1 & PALYRA_OWN=$!; "
                    + "palyra_up() { while read -r PALYRA_A PALYRA_B PALYRA_C PALYRA_D PALYRA_E;"
                    + " do [ \"$PALYRA_B $PALYRA_D\" = \"$PALYRA_UP\" ] && return 0;"
                    + " done </proc/net/tcp; return 1; }; PALYRA_N=0;"
                    + " until read -r PALYRA_A PALYRA_B PALYRA_C PALYRA_D 2>/dev/null"
                    + " </proc/$PALYRA_OWN/stat && [ \"$PALYRA_C\" = S ] && { palyra_count;"
                    + " [ \"$PALYRA_I\" != \"$PALYRA_WAS\" ] || palyra_up; };"
                    + " do PALYRA_N=$((PALYRA_N+1)); [ $PALYRA_N -le 1000 ] || sleep 0.02;"
                    + " [ $PALYRA_N -le 1250 ] || { echo 'palyra: the bridge to the egress proxy"
                    + " did not start' >&2; exit 125; }; done; ";

    /**
     * Takes the words of a command out of a variable. Commands of a session see each other's
     * processes, and a program such as {@code pkill -f} that looks for a word of its own line must
     * not find bubblewrap and this shell by it.
     */
    private static final String TAKE_WORDS = "eval \"set -- $PALYRA_WORDS\"; unset PALYRA_WORDS; ";

    /** The variable. */
    static final String WORDS = "PALYRA_WORDS";

    /** Longest text that a variable can have; see MAX_ARG_STRLEN in execve(2). */
    private static final int MOST_WORDS = 100_000;

    private static final String RUN = "exec \"$@\"";

    /**
     * Other commands share the processes: the bridge ends with the command that it was made for.
     */
    private static final String RUN_AND_END_BRIDGE =
            "\"$@\"; PALYRA_CODE=$?; kill \"$PALYRA_OWN\" 2>/dev/null; exit \"$PALYRA_CODE\"";

    /**
     * Makes sure that it entered the sandbox that it was to enter: process ids are used again, and
     * that is the only way to name one to nsenter(1).
     */
    private static final String ENTERED =
            "[ \"$(readlink /proc/self/ns/net)\" = \"$1\" ] || {"
                    + " echo 'palyra: the shared sandbox has ended' >&2; exit 125; }; shift; ";

    private InnerScripts() {}

    /**
     * Returns the value of the variable by which a command that enters a shared sandbox gets its
     * words; empty when they are arguments.
     */
    static Optional<String> words(boolean shared, List<String> command) {
        return Optional.of(command)
                .filter(words -> shared)
                .map(ShellWords::quoted)
                .filter(text -> text.getBytes(StandardCharsets.UTF_8).length <= MOST_WORDS);
    }

    /**
     * Returns what bubblewrap executes for a command.
     *
     * @param entered the network namespace that it entered, as {@code /proc/self/ns/net} reads;
     *     absent when it has one of its own
     * @param bridge the program and the port that lead to its proxy; absent without a proxy
     */
    static List<String> of(
            int processes,
            Optional<String> entered,
            Optional<Bridge> bridge,
            List<String> command) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c"));
        boolean hidden = words(entered.isPresent(), command).isPresent();
        String run = bridge.isPresent() && entered.isPresent() ? RUN_AND_END_BRIDGE : RUN;
        words.add(
                (entered.isPresent() ? ENTERED : "")
                        + LIMIT
                        + (bridge.isPresent() ? BRIDGE : "")
                        + (hidden ? TAKE_WORDS : "")
                        + run);
        words.add("sh");
        entered.ifPresent(words::add);
        words.add(Integer.toString(processes));
        bridge.ifPresent(
                one ->
                        words.addAll(
                                List.of(
                                        one.program(),
                                        Integer.toString(one.port()),
                                        one.listening())));
        if (!hidden) {
            words.addAll(command);
        }
        return words;
    }

    /**
     * The way to a proxy.
     *
     * @param program path of socat
     * @param port where it listens on the loopback
     */
    record Bridge(String program, int port) {
        /** Returns its address and state as {@code /proc/net/tcp} writes them (little-endian). */
        private String listening() {
            return String.format(Locale.ROOT, "0100007F:%04X 0A", port);
        }
    }
}
