package palyra.shared.seccomp;

import static palyra.shared.seccomp.Instruction.ANY_BIT;
import static palyra.shared.seccomp.Instruction.EQUAL;
import static palyra.shared.seccomp.Instruction.GREATER;
import static palyra.shared.seccomp.Instruction.give;
import static palyra.shared.seccomp.Instruction.jump;
import static palyra.shared.seccomp.Instruction.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The rules of a filter, in order. Arguments are compared by their low 32 bits where the kernel
 * looks at no more: a flag in the high half neither hides nor adds anything.
 */
final class Rules {
    private static final int NUMBER_OFFSET = 0;
    private static final int ARCHITECTURE_OFFSET = 4;
    private static final int ARGUMENTS_OFFSET = 16;
    private static final int X32_BIT = 0x40000000;

    /** Every {@code CLONE_NEW*}: a new namespace of any kind. */
    private static final int NEW_NAMESPACES = 0x7E020080;

    private static final int PRIO_PROCESS = 0;
    private static final int IOPRIO_WHO_PROCESS = 1;
    private static final int MSG_FASTOPEN = 0x20000000;

    /** TIOCSTI and TIOCLINUX type into a terminal, TIOCSETD loads a line discipline. */
    private static final int[] TERMINAL_TRICKS = {0x5412, 0x541C, 0x5423};

    /**
     * FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FS_IOC_ENABLE_VERITY and FS_IOC_SET_ENCRYPTION_POLICY
     * change a file by a descriptor that was opened for reading; see {@code linux/fs.h}.
     */
    private static final int[] ATTRIBUTES_OF_FILES = {
        0x40086602, 0x401C5820, 0x40806685, 0x800C6613
    };

    /** S_ISUID and S_ISGID: a program with them runs as its owner for all who start it. */
    private static final int SET_ID = 06000;

    /** O_CREAT and the bit that makes O_TMPFILE of O_DIRECTORY: the call has a mode. */
    private static final int CREATES = 0x40 | 0x400000;

    /** PER_LINUX, PER_LINUX32, UNAME26, and the question which one it is. */
    private static final int[] PERSONALITIES = {0, 8, 0x20000, -1};

    private final Architecture architecture;
    private final List<Rule> rules = new ArrayList<>();

    private Rules(Architecture architecture) {
        this.architecture = architecture;
    }

    static List<Rule> of(Profile profile, Architecture architecture) {
        Rules rules = new Rules(architecture);
        rules.entry();
        rules.creates(Syscall.OPEN, 1); // first, as they are frequent
        rules.creates(Syscall.OPENAT, 2);
        Syscall.DENIED.forEach(call -> rules.always(call, Verdict.EPERM));
        rules.always(Syscall.CLONE3, Verdict.ENOSYS);
        rules.whenBits(Syscall.CLONE, 0, NEW_NAMESPACES, Verdict.EPERM);
        rules.whenBits(Syscall.UNSHARE, 0, NEW_NAMESPACES, Verdict.EPERM);
        Syscall.MODE_SECOND.forEach(call -> rules.whenBits(call, 1, SET_ID, Verdict.EPERM));
        Syscall.MODE_THIRD.forEach(call -> rules.whenBits(call, 2, SET_ID, Verdict.EPERM));
        rules.always(Syscall.OPENAT2, Verdict.ENOSYS);
        rules.requests(TERMINAL_TRICKS, Verdict.EPERM);
        rules.personalities();
        rules.add(Syscall.SOCKET, Sockets.rule(profile));
        rules.add(Syscall.SOCKETPAIR, Sockets.pairs());
        rules.whenBits(Syscall.SENDTO, 3, MSG_FASTOPEN, Verdict.EOPNOTSUPP);
        rules.whenBits(Syscall.SENDMSG, 2, MSG_FASTOPEN, Verdict.EOPNOTSUPP);
        rules.whenBits(Syscall.SENDMMSG, 3, MSG_FASTOPEN, Verdict.EOPNOTSUPP);
        Syscall.OF_A_PROCESS.forEach(call -> rules.onlyWhen(call, 0, -1));
        rules.onlyWhen(Syscall.SETPRIORITY, PRIO_PROCESS, 1);
        rules.onlyWhen(Syscall.IOPRIO_SET, IOPRIO_WHO_PROCESS, 1);
        rules.rules.add(new Rule("allow", List.of(give(Verdict.ALLOW))));
        return List.copyOf(rules.rules);
    }

    /**
     * Returns what hands {@link MetadataCall}s to a supervisor; calls that are newer are refused.
     */
    static List<Rule> ofMetadata(Architecture architecture) {
        Rules rules = new Rules(architecture);
        rules.entry();
        for (MetadataCall call : MetadataCall.values()) {
            rules.always(call.call(), Verdict.USER_NOTIF);
        }
        Syscall.NEWER_METADATA.forEach(call -> rules.always(call, Verdict.ENOSYS));
        rules.always(Syscall.FANOTIFY_MARK, Verdict.EPERM);
        rules.requests(ATTRIBUTES_OF_FILES, Verdict.ENOTTY);
        rules.rules.add(new Rule("allow", List.of(give(Verdict.ALLOW))));
        return List.copyOf(rules.rules);
    }

    /** Other processors' numbers mean other calls: their programs end. */
    private void entry() {
        rules.add(
                new Rule(
                        "architecture",
                        List.of(
                                load(ARCHITECTURE_OFFSET),
                                jump(EQUAL, architecture.auditNumber(), 1, 0),
                                give(Verdict.KILL_PROCESS))));
        rules.add(new Rule("number", List.of(load(NUMBER_OFFSET))));
        if (architecture == Architecture.X86_64) {
            rules.add(new Rule("x32", List.of(jump(ANY_BIT, X32_BIT, 0, 1), give(Verdict.EPERM))));
        }
        rules.add(
                new Rule(
                        "unknown",
                        List.of(jump(GREATER, Syscall.LAST_KNOWN, 0, 1), give(Verdict.ENOSYS))));
    }

    private void always(Syscall call, int verdict) {
        add(call, List.of(give(verdict)));
    }

    private void whenBits(Syscall call, int argument, int bits, int verdict) {
        add(
                call,
                List.of(
                        load(lowOf(argument)),
                        jump(ANY_BIT, bits, 0, 1),
                        give(verdict),
                        give(Verdict.ALLOW)));
    }

    /**
     * Refuses to make a file that runs as its owner; without a new file there is no mode.
     *
     * @param flags the argument before the mode
     */
    private void creates(Syscall call, int flags) {
        add(
                call,
                List.of(
                        load(lowOf(flags)),
                        jump(ANY_BIT, CREATES, 0, 3),
                        load(lowOf(flags + 1)),
                        jump(ANY_BIT, SET_ID, 0, 1),
                        give(Verdict.EPERM),
                        give(Verdict.ALLOW)));
    }

    /**
     * Permits a call on the caller itself only.
     *
     * @param first what the first argument must be
     * @param self argument that must be 0, which means the caller; -1 for none
     */
    private void onlyWhen(Syscall call, int first, int self) {
        List<Instruction> body = new ArrayList<>();
        body.add(load(lowOf(0)));
        body.add(jump(EQUAL, first, 1, 0));
        body.add(give(Verdict.EPERM));
        if (self >= 0) {
            body.add(load(lowOf(self)));
            body.add(jump(EQUAL, 0, 1, 0));
            body.add(give(Verdict.EPERM));
        }
        body.add(give(Verdict.ALLOW));
        add(call, body);
    }

    private void requests(int[] refused, int verdict) {
        List<Instruction> body = new ArrayList<>();
        body.add(load(lowOf(1)));
        for (int request : refused) {
            body.add(jump(EQUAL, request, 0, 1));
            body.add(give(verdict));
        }
        body.add(give(Verdict.ALLOW));
        add(Syscall.IOCTL, body);
    }

    private void personalities() {
        List<Instruction> body = new ArrayList<>();
        body.add(load(lowOf(0)));
        for (int personality : PERSONALITIES) {
            body.add(jump(EQUAL, personality, 0, 1));
            body.add(give(Verdict.ALLOW));
        }
        body.add(give(Verdict.EPERM));
        add(Syscall.PERSONALITY, body);
    }

    /** Adds the rule of one call; {@code body} returns on every path. */
    private void add(Syscall call, List<Instruction> body) {
        int number = call.number(architecture);
        if (number < 0) {
            return;
        }
        List<Instruction> all = new ArrayList<>();
        all.add(jump(EQUAL, number, 0, body.size()));
        all.addAll(body);
        rules.add(new Rule(call.name(), all));
    }

    /** Returns the offset of an argument's low half in {@code struct seccomp_data}. */
    static int lowOf(int argument) {
        return ARGUMENTS_OFFSET + Long.BYTES * argument;
    }
}
