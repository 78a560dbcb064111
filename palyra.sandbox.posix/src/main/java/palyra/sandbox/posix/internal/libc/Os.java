package palyra.sandbox.posix.internal.libc;

import java.util.Locale;

/**
 * Numbers in which the systems differ. Sources: {@code asm/unistd.h} and {@code bits/*.h} of Linux
 * and glibc, {@code sys/fcntl.h}, {@code sys/wait.h}, {@code sys/resource.h} and {@code
 * sys/spawn.h} of macOS.
 *
 * @param linux whether this is Linux
 * @param arm whether this is a 64-bit ARM processor
 */
public record Os(boolean linux, boolean arm) {
    /** Returns the system that this JVM runs on. */
    public static Os here() {
        String arch = System.getProperty("os.arch", "");
        return new Os(name().equals("linux"), arch.equals("aarch64") || arch.equals("arm64"));
    }

    /** Returns {@code linux}, {@code macos}, {@code windows} or {@code other}. */
    public static String name() {
        String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (name.contains("linux")) {
            return "linux";
        } else if (name.contains("mac")) {
            return "macos";
        }
        return name.contains("windows") ? "windows" : "other";
    }

    /** Returns {@code x86_64}, {@code aarch64} or what the JVM calls it. */
    public static String archName() {
        String arch = System.getProperty("os.arch", "unknown");
        return switch (arch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "aarch64";
            default -> arch;
        };
    }

    int pick(int onLinux, int onMac) {
        return linux ? onLinux : onMac;
    }

    /** Returns the number of a system call of Linux. */
    public long call(LinuxCall call) {
        return arm ? call.arm() : call.intel();
    }
}
