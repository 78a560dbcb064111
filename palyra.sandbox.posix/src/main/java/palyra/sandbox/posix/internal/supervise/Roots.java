package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;
import palyra.sandbox.posix.internal.libc.RealPaths;

/**
 * Folders beneath which a command may change or watch metadata. Writable folders are held open, so
 * that each stays the folder of its Landlock rule even when it is renamed. A file is beneath a
 * folder when the kernel's names of both, read at the same time, say so. A command cannot move or
 * link a file from elsewhere into a writable folder, because Landlock refuses that. For one thread
 * at a time, but for {@link #close}.
 */
public final class Roots implements AutoCloseable {
    private static final int MOST_BYTES = 4096;
    private static final long HERE = -100; // AT_FDCWD
    private static final String GONE = " (deleted)";

    private final Libc libc;
    private final List<PathRule> rules;
    private final Arena memory = new Arena();
    private final DescriptorPath name = new DescriptorPath(memory);
    private final Pointer path = memory.zeros(MOST_BYTES);
    private final List<Root> writable = new ArrayList<>();

    private record Root(String path, int descriptor) {}

    private Roots(Libc libc, List<PathRule> rules) {
        this.libc = libc;
        this.rules = rules;
    }

    /**
     * Opens the writable folders of the rules.
     *
     * @throws palyra.api.PalyraException as {@link RealPaths#open}
     */
    public static Roots open(Libc libc, Landlock landlock) {
        Roots roots = new Roots(libc, landlock.paths());
        try {
            for (PathRule rule : landlock.paths()) {
                if (rule.access() == Access.WRITE) {
                    roots.hold(rule.path());
                }
            }
        } catch (RuntimeException refused) {
            roots.close();
            throw refused;
        }
        return roots;
    }

    private void hold(String path) {
        try (Arena arena = new Arena()) {
            Pointer text = arena.string(Descriptors.bytes(path, "A path of a sandbox rule"));
            int opened = RealPaths.open(libc, text, path);
            if (opened >= 0) { // a rule on what does not exist is left out
                writable.add(new Root(path, opened));
            }
        }
    }

    /**
     * Returns the path of a writable folder that is not the one of its rule any more; empty when
     * all are the same.
     *
     * @param same whether the rule on a path is on the open file or folder
     */
    public Optional<String> findReplaced(BiPredicate<String, Integer> same) {
        return writable.stream()
                .filter(root -> !same.test(root.path(), root.descriptor()))
                .map(Root::path)
                .findFirst();
    }

    /** Returns whether the metadata of an open file may be changed. */
    boolean mayChange(int opened) {
        String file = location(opened);
        return writable.stream().anyMatch(root -> beneath(file, location(root.descriptor())));
    }

    /** Returns whether an open file may be watched, which is the same as being readable. */
    boolean mayWatch(int opened) {
        return mayChange(opened) || mayRead(location(opened));
    }

    private boolean mayRead(String file) {
        for (PathRule rule : rules) {
            try (Arena arena = new Arena()) {
                Pointer text = arena.string(Descriptors.bytes(rule.path(), "A path of a rule"));
                int root = libc.openPath(text, false);
                if (root >= 0) {
                    try {
                        if (beneath(file, location(root))) {
                            return true;
                        }
                    } finally {
                        libc.close(root);
                    }
                }
            }
        }
        return false;
    }

    /** Returns the kernel's name of an open file, one character per byte; empty without a name. */
    private String location(int opened) {
        long length =
                libc.system(
                        LinuxCall.READLINKAT,
                        HERE,
                        name.of(opened),
                        Pointer.nativeValue(path),
                        MOST_BYTES);
        return length <= 0 || length == MOST_BYTES
                ? ""
                : new String(path.getByteArray(0, (int) length), StandardCharsets.ISO_8859_1);
    }

    /**
     * Returns whether a file is a folder or beneath it, by whole names. What was deleted is beneath
     * the folder that it was deleted from. Nothing is beneath a folder that was deleted, because
     * its name may be another's.
     */
    static boolean beneath(String file, String root) {
        if (!file.startsWith("/") || !root.startsWith("/") || root.endsWith(GONE)) {
            return false;
        }
        String folder = root.endsWith("/") ? root : root + "/";
        return file.equals(root) || file.startsWith(folder);
    }

    @Override
    public void close() {
        writable.forEach(root -> libc.close(root.descriptor()));
        writable.clear();
        memory.close();
    }
}
