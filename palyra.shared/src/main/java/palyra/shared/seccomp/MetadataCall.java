package palyra.shared.seccomp;

import java.util.Optional;

/**
 * Calls that a supervisor makes for a process: those that change the mode, owner, times or
 * attributes of a file, or watch one, and the one that gives a socket its address, because Landlock
 * has no rules for addresses. See {@link SeccompFilter#ofMetadata}. The numbers are those of {@link
 * Syscall}'s sources.
 */
public enum MetadataCall {
    /** chmod(2). */
    CHMOD(90, -1),
    /** fchmod(2): a descriptor that was opened for reading is enough for it. */
    FCHMOD(91, 52),
    /** The call behind fchmodat(3), without flags. */
    FCHMODAT(268, 53),
    /** fchmodat2(2), with flags. */
    FCHMODAT2(452, 452),
    /** chown(2). */
    CHOWN(92, -1),
    /** fchown(2). */
    FCHOWN(93, 55),
    /** lchown(2). */
    LCHOWN(94, -1),
    /** fchownat(2). */
    FCHOWNAT(260, 54),
    /** utime(2). */
    UTIME(132, -1),
    /** utimes(2). */
    UTIMES(235, -1),
    /** futimesat(2). */
    FUTIMESAT(261, -1),
    /** utimensat(2), and futimens(3) where the path is null. */
    UTIMENSAT(280, 88),
    /** setxattr(2). */
    SETXATTR(188, 5),
    /** lsetxattr(2). */
    LSETXATTR(189, 6),
    /** fsetxattr(2). */
    FSETXATTR(190, 7),
    /** removexattr(2). */
    REMOVEXATTR(197, 14),
    /** lremovexattr(2). */
    LREMOVEXATTR(198, 15),
    /** fremovexattr(2). */
    FREMOVEXATTR(199, 16),
    /** inotify_add_watch(2). */
    INOTIFY_ADD_WATCH(254, 27),
    /** bind(2). */
    BIND(49, 200);

    private final Syscall call;

    MetadataCall(int x86, int arm) {
        call = new Syscall(name().toLowerCase(java.util.Locale.ROOT), x86, arm);
    }

    Syscall call() {
        return call;
    }

    /** Returns the number on a processor; -1 when it has no such call. */
    public int number(Architecture architecture) {
        return call.number(architecture);
    }

    /** Returns the call with a number; empty for another call. */
    public static Optional<MetadataCall> of(int number, Architecture architecture) {
        for (MetadataCall each : values()) {
            if (number >= 0 && each.number(architecture) == number) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
