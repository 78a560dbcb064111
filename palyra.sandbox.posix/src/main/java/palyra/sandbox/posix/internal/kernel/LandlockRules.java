package palyra.sandbox.posix.internal.kernel;

import com.sun.jna.Pointer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;
import palyra.sandbox.posix.internal.libc.RealPaths;

/**
 * Makes Landlock rulesets, see landlock(7) and {@code linux/landlock.h}. Rights that the kernel's
 * version does not know are left out. Thread-safe.
 */
public final class LandlockRules {
    /** First version that restricts TCP. */
    public static final int TCP = 4;

    /** First version that restricts signals and abstract sockets. */
    public static final int SCOPES = 6;

    private static final int RULE_PATH = 1;
    private static final int RULE_PORT = 2;
    private static final long BIND_AND_CONNECT = 3;
    private static final long CONNECT = 2;
    private static final long ABSTRACT_SOCKETS_AND_SIGNALS = 3;

    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_FOLDER = 1 << 3;
    private static final long MAKE_CHAR = 1 << 6;
    private static final long MAKE_BLOCK = 1 << 11;
    private static final long REFER = 1 << 13;
    private static final long TRUNCATE = 1 << 14;
    private static final long IOCTL_DEVICE = 1 << 15;
    private static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;

    private final Libc libc;
    private final int version;

    /** Creates it for a version of Landlock; 0 when the kernel has none. */
    public LandlockRules(Libc libc, int version) {
        this.libc = libc;
        this.version = version;
    }

    /** Returns the version of the running kernel; 0 when it has none. */
    public static int version(Libc libc) {
        if (!libc.os().linux()) {
            return 0;
        }
        return (int) Math.max(0, libc.system(LinuxCall.LANDLOCK_CREATE_RULESET, 0, 0, 1));
    }

    /** Returns the version. */
    public int version() {
        return version;
    }

    static long handledFiles(int version) {
        long all = REFER - 1;
        all |= version >= 2 ? REFER : 0;
        all |= version >= 3 ? TRUNCATE : 0;
        all |= version >= 5 ? IOCTL_DEVICE : 0;
        return all;
    }

    static long granted(Access access, int version) {
        long wanted =
                switch (access) {
                    case READ -> READ_FILE | READ_FOLDER;
                    case EXECUTE -> READ_FILE | READ_FOLDER | EXECUTE;
                    case WRITE -> handledFiles(version) & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEVICE);
                    case DEVICE -> READ_FILE | WRITE_FILE | TRUNCATE;
                };
        return wanted & handledFiles(version);
    }

    /**
     * Makes the ruleset of one call: files and scopes. Scopes are never shared between calls:
     * processes in one scope may send signals to each other.
     *
     * @param places records where the paths led
     * @return a descriptor to be closed; -1 when there is nothing to restrict
     */
    int ofCall(Landlock rules, PathIdentities places) {
        boolean scoped = rules.scoped() && version >= SCOPES;
        if (!rules.handleFiles() && !scoped) {
            return -1;
        }
        int set =
                create(
                        rules.handleFiles() ? handledFiles(version) : 0,
                        0,
                        scoped ? ABSTRACT_SOCKETS_AND_SIGNALS : 0);
        try {
            if (rules.handleFiles()) {
                rules.paths().forEach(rule -> addPath(set, rule, places));
            }
        } catch (RuntimeException failed) {
            libc.close(set);
            throw failed;
        }
        return set;
    }

    /**
     * Makes a ruleset that refuses TCP but for connections to these ports. Under rules for files
     * the kernel refuses renames from one folder to another unless each layer grants them, so this
     * one then does. Elsewhere it must not: what has any rule for files can mount nothing.
     *
     * @param belowFiles whether a ruleset for files comes on top of it
     */
    int ofPorts(Iterable<Integer> ports, boolean belowFiles) {
        int set = create(belowFiles ? REFER : 0, BIND_AND_CONNECT, 0);
        try (Arena arena = new Arena()) {
            if (belowFiles) {
                addRenames(set, arena);
            }
            Pointer rule = arena.zeros(16);
            rule.setLong(0, CONNECT);
            for (int port : ports) {
                rule.setLong(8, port);
                need(addRule(set, RULE_PORT, rule), "a rule for port " + port);
            }
        } catch (RuntimeException failed) {
            libc.close(set);
            throw failed;
        }
        return set;
    }

    private void addRenames(int set, Arena arena) {
        int root = libc.openPath(arena.string(new byte[] {'/'}), false);
        need(root, "a descriptor for /");
        try {
            Pointer rule = arena.zeros(16);
            rule.setLong(0, REFER);
            rule.setInt(8, root);
            need(addRule(set, RULE_PATH, rule), "a rule for renames");
        } finally {
            libc.close(root);
        }
    }

    private int create(long files, long network, long scopes) {
        try (Arena arena = new Arena()) {
            Pointer attributes = arena.zeros(24);
            attributes.setLong(0, files);
            attributes.setLong(8, network);
            attributes.setLong(16, scopes);
            long size = version >= SCOPES ? 24 : version >= TCP ? 16 : 8;
            long set =
                    libc.system(
                            LinuxCall.LANDLOCK_CREATE_RULESET,
                            Pointer.nativeValue(attributes),
                            size,
                            0);
            return (int) need(set, "a Landlock ruleset");
        }
    }

    private void addPath(int set, PathRule rule, PathIdentities places) {
        Pointer path = places.text(Descriptors.bytes(rule.path(), "A path of a sandbox rule"));
        int place =
                rule.access() == Access.WRITE
                        ? RealPaths.open(libc, path, rule.path())
                        : libc.openPath(path, false);
        if (place == -Errno.EMFILE || place == -Errno.ENFILE) {
            need(place, "a descriptor for " + rule.path());
        }
        if (place < 0) {
            places.absent(rule.path(), path);
            return;
        }
        try {
            places.found(rule.path(), path, place);
            addPlace(set, place, rule);
        } finally {
            libc.close(place);
        }
    }

    /** A rule on a file must not name rights that only folders have: EINVAL, see landlock(7). */
    private void addPlace(int set, int place, PathRule rule) {
        try (Arena arena = new Arena()) {
            long rights = granted(rule.access(), version);
            Pointer packed = arena.zeros(16);
            packed.setLong(0, rights);
            packed.setInt(8, place);
            long added = addRule(set, RULE_PATH, packed);
            if (added == -Errno.EINVAL) {
                packed.setLong(0, rights & OF_FILES);
                added = addRule(set, RULE_PATH, packed);
            }
            need(added, "a rule for " + rule.path());
        }
    }

    private long addRule(int set, int kind, Pointer rule) {
        return libc.system(LinuxCall.LANDLOCK_ADD_RULE, set, kind, Pointer.nativeValue(rule), 0);
    }

    private static long need(long result, String what) {
        if (result >= 0) {
            return result;
        }
        int errno = (int) -result;
        boolean full = errno == Errno.EMFILE || errno == Errno.ENFILE || errno == Errno.ENOMEM;
        throw new PalyraException(
                full ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.TOOL_UNAVAILABLE,
                "The kernel refused " + what + ": " + Errno.words(errno) + ".");
    }
}
