package palyra.sandbox.internal.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory this machine has, for limits that are a share of it. */
final class HostMemory {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final List<Path> CGROUP_LIMITS =
            List.of(
                    Path.of("/sys/fs/cgroup/memory.max"),
                    Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    private static final Pattern TOTAL = Pattern.compile("MemTotal: +([0-9]{1,15}) kB");

    private HostMemory() {}

    /** Returns a part of it within bounds; the lower bound where it is not known. */
    static long shareOf(int part, long least, long most) {
        return Math.max(least, Math.min(most, total() / part));
    }

    /** What a container may use is less than what its machine has. */
    private static long total() {
        Matcher found = TOTAL.matcher(read(MEMINFO));
        long total = found.find() ? Long.parseLong(found.group(1)) << 10 : 0;
        for (Path limit : CGROUP_LIMITS) {
            String text = read(limit).strip();
            if (text.matches("[0-9]{1,18}")) {
                total = Math.min(total, Long.parseLong(text));
            }
        }
        return total;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return ""; // another system has none
        }
    }
}
