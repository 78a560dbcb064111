package palyra.sandbox.posix.internal.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code /proc} of Linux, see proc(5). On other systems it is empty. Processes that end
 * during a read are left out. Thread-safe.
 */
public final class ProcessTable {
    private final Path root;

    /** Reads below {@code root}, such as {@code /proc}. */
    public ProcessTable(Path root) {
        this.root = root;
    }

    /**
     * A process.
     *
     * @param pid its id
     * @param parent id of its parent
     * @param session id of its session
     * @param dead whether it has ended and is not yet reaped
     * @param ticks processor time of it and of its children that were waited for, in ticks
     * @param executed whether it executed a program since it was forked
     * @param started when it started, in ticks since boot: distinguishes processes with the same id
     */
    record Entry(
            long pid,
            long parent,
            long session,
            boolean dead,
            boolean executed,
            long ticks,
            long started) {
        /** PF_FORKNOEXEC, see include/linux/sched.h. */
        private static final long FORKED = 0x40;

        /**
         * Parses {@code /proc/PID/stat}. The name in parentheses may hold anything, so fields are
         * counted from its last parenthesis.
         */
        static Optional<Entry> parse(String stat) {
            int open = stat.indexOf(" (");
            int end = stat.lastIndexOf(')');
            if (open < 0 || end < open) {
                return Optional.empty();
            }
            String[] rest = stat.substring(end + 1).strip().split(" ");
            if (rest.length < 20) {
                return Optional.empty();
            }
            try {
                long ticks = 0;
                for (int i = 11; i <= 14; i++) {
                    ticks += Long.parseLong(rest[i]);
                }
                boolean dead = rest[0].equals("Z") || rest[0].equals("X");
                return Optional.of(
                        new Entry(
                                Long.parseLong(stat.substring(0, open)),
                                Long.parseLong(rest[1]),
                                Long.parseLong(rest[3]),
                                dead,
                                (Long.parseLong(rest[6]) & FORKED) == 0,
                                ticks,
                                Long.parseLong(rest[19])));
            } catch (NumberFormatException odd) {
                return Optional.empty();
            }
        }
    }

    Optional<Entry> find(long pid) {
        return read(pid, "stat").flatMap(Entry::parse);
    }

    /** Returns whether a process runs; a zombie does not. */
    public boolean lives(long pid) {
        return find(pid).filter(entry -> !entry.dead()).isPresent();
    }

    /** Returns all processes that are not dead. */
    List<Entry> living() {
        List<Entry> all = new ArrayList<>();
        String[] names = root.toFile().list();
        for (String name : names == null ? new String[0] : names) {
            if (isNumber(name)) {
                find(Long.parseLong(name)).filter(entry -> !entry.dead()).ifPresent(all::add);
            }
        }
        return all;
    }

    private static boolean isNumber(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return false;
            }
        }
        return !name.isEmpty() && name.length() < 19;
    }

    /** Returns the environment that a process was started with; empty when it may not be seen. */
    byte[] environment(long pid) {
        try {
            return bytes(pid, "environ");
        } catch (IOException gone) {
            return new byte[0];
        }
    }

    /** Returns a file of a process, such as {@code limits}. */
    public Optional<String> read(long pid, String file) {
        try {
            return Optional.of(new String(bytes(pid, file), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** Such files have no size; they are read through a plain stream, the fastest way there is. */
    private byte[] bytes(long pid, String file) throws IOException {
        try (FileInputStream in = new FileInputStream(root + "/" + pid + "/" + file)) {
            byte[] some = new byte[1024];
            int count = 0;
            while (true) {
                int read = in.read(some, count, some.length - count);
                if (read < 0) {
                    return Arrays.copyOf(some, count);
                }
                count += read;
                if (count == some.length) {
                    some = Arrays.copyOf(some, 2 * count);
                }
            }
        }
    }
}
