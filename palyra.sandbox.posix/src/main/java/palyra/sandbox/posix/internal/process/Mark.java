package palyra.sandbox.posix.internal.process;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Marks the processes of a call: a variable in their environment and the name of their cgroup. Both
 * begin with the owner, so that processes left by a killed gateway can be distinguished from those
 * of a running one.
 *
 * @param text owner, number and call id
 */
public record Mark(String text) {
    /** The variable. */
    public static final String VARIABLE = "PALYRA_SANDBOX_CALL";

    /** Prefix of the names of our cgroups. */
    public static final String CGROUP = "palyra-";

    /** Returns the name of the call's cgroup. */
    public String cgroup() {
        return CGROUP + text;
    }

    /** Returns whether an environment, as in {@code /proc/PID/environ}, holds this mark. */
    boolean in(byte[] environment) {
        return text.equals(find(environment));
    }

    /** Returns the mark's text in an environment; empty when it has none. */
    static String find(byte[] environment) {
        String all = "\0" + new String(environment, StandardCharsets.ISO_8859_1);
        int at = all.indexOf("\0" + VARIABLE + "=");
        if (at < 0) {
            return "";
        }
        int from = at + VARIABLE.length() + 2;
        int end = all.indexOf('\0', from);
        return all.substring(from, end < 0 ? all.length() : end);
    }

    /**
     * A launcher in a JVM.
     *
     * @param pid process id of the JVM
     * @param started when that process started, in ticks since the boot of the host; 0 if unknown
     * @param random distinguishes launchers in one JVM
     */
    public record Owner(long pid, long started, String random) {
        private static final Pattern FORM =
                Pattern.compile("([0-9]{1,10})\\.([0-9]{1,19})\\.([0-9a-f]{8})\\.[0-9]+-.*");

        /** Returns a new owner in this JVM. */
        public static Owner create(ProcessTable table) {
            byte[] random = new byte[4];
            new SecureRandom().nextBytes(random);
            long pid = ProcessHandle.current().pid();
            long started = table.find(pid).map(ProcessTable.Entry::started).orElse(0L);
            return new Owner(pid, started, HexFormat.of().formatHex(random));
        }

        /** Returns the owner in a mark's text; null when it is not one of ours. */
        static Owner parse(String text) {
            var matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                return null;
            }
            try {
                return new Owner(
                        Long.parseLong(matcher.group(1)),
                        Long.parseLong(matcher.group(2)),
                        matcher.group(3));
            } catch (NumberFormatException tooLong) {
                return null;
            }
        }

        /** Returns the mark of a call. */
        public Mark mark(AtomicLong numbers, String callId) {
            return new Mark(
                    pid
                            + "."
                            + started
                            + "."
                            + random
                            + "."
                            + numbers.incrementAndGet()
                            + "-"
                            + callId);
        }
    }
}
