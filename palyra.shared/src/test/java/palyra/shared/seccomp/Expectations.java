package palyra.shared.seccomp;

import java.util.ArrayList;
import java.util.List;

/** What a filter must say, call by call, written down apart from the rules. */
final class Expectations {
    static final int ALLOW = 0x7FFF0000;
    static final int KILL = 0x80000000;
    static final int EPERM = 0x50001;
    static final int ENOSYS = 0x50026;
    static final int ENOTTY = 0x50019;
    static final int SUPERVISED = 0x7FC00000;
    static final int EAFNOSUPPORT = 0x50061;
    static final int EPROTONOSUPPORT = 0x5005D;
    static final int ESOCKTNOSUPPORT = 0x5005E;
    static final int EOPNOTSUPP = 0x5005F;

    private static final long HIGH = 1L << 32;
    private static final long[] NAMESPACES = {
        0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
    };

    /** One call and the answer. */
    @SuppressWarnings("ArrayRecordComponent")
    record Expectation(String what, int architecture, int number, long[] arguments, int answer) {}

    private final List<Expectation> all = new ArrayList<>();
    private final boolean x86;
    private final int architecture;

    private Expectations(Architecture architecture) {
        this.x86 = architecture == Architecture.X86_64;
        this.architecture = x86 ? 0xC000003E : 0xC00000B7;
    }

    static List<Expectation> of(Profile profile, Architecture architecture) {
        Expectations made = new Expectations(architecture);
        made.entry();
        made.denied();
        made.processes();
        made.terminals();
        made.personalities();
        made.sockets(profile);
        made.fastOpen();
        made.otherProcesses();
        made.modes();
        return made.all;
    }

    /** What the filter says that hands calls for metadata to a supervisor. */
    static List<Expectation> ofMetadata(Architecture architecture) {
        Expectations made = new Expectations(architecture);
        made.entry("file_setattr", ENOSYS);
        made.supervised();
        made.expect("setxattrat", 463, 463, ENOSYS);
        made.expect("getxattrat", 464, 464, ALLOW);
        made.expect("removexattrat", 466, 466, ENOSYS);
        made.expect("fanotify_mark", 301, 263, EPERM);
        made.expect("inotify_init1", 294, 26, ALLOW);
        made.expect("openat", 257, 56, ALLOW);
        made.expect("isatty", 16, 29, ALLOW, 0, 0x5401);
        made.expect("flags are read", 16, 29, ALLOW, 0, 0x80086601L);
        for (long request : new long[] {0x40086602, 0x401C5820, 0x40806685, 0x800C6613L}) {
            made.expect("ioctl " + request, 16, 29, ENOTTY, 0, request);
            made.expect("ioctl high " + request, 16, 29, ENOTTY, 0, HIGH | request);
        }
        return made.all;
    }

    private void supervised() {
        String calls =
                """
                chmod 90 -1
                fchmod 91 52
                fchmodat 268 53
                fchmodat2 452 452
                chown 92 -1
                fchown 93 55
                lchown 94 -1
                fchownat 260 54
                utime 132 -1
                utimes 235 -1
                futimesat 261 -1
                utimensat 280 88
                setxattr 188 5
                lsetxattr 189 6
                fsetxattr 190 7
                removexattr 197 14
                lremovexattr 198 15
                fremovexattr 199 16
                inotify_add_watch 254 27
                bind 49 200
                """;
        for (String line : calls.lines().toList()) {
            String[] fields = line.split(" ", -1);
            int arm = Integer.parseInt(fields[2]);
            expect(fields[0], Integer.parseInt(fields[1]), arm, SUPERVISED);
            expect(fields[0] + " of -1", Integer.parseInt(fields[1]), arm, SUPERVISED, -1, 0, 0);
        }
    }

    /** No file gets a mode by which it runs as its owner. */
    private void modes() {
        for (long bits : new long[] {04755, 02755, 06755, 04000, HIGH | 04755}) {
            String what = " " + Long.toOctalString(bits);
            expect("chmod" + what, 90, -1, EPERM, 0, bits);
            expect("fchmod" + what, 91, 52, EPERM, 0, bits);
            expect("creat" + what, 85, -1, EPERM, 0, bits);
            expect("mknod" + what, 133, -1, EPERM, 0, bits);
            expect("fchmodat" + what, 268, 53, EPERM, 0, 0, bits);
            expect("fchmodat2" + what, 452, 452, EPERM, 0, 0, bits);
            expect("mknodat" + what, 259, 33, EPERM, 0, 0, bits);
            expect("open" + what, 2, -1, EPERM, 0, 0x41, bits);
            expect("openat" + what, 257, 56, EPERM, 0, 0, 0x41, bits);
            expect("tmpfile" + what, 2, -1, EPERM, 0, 0x410002, bits);
            expect("tmpfile at" + what, 257, 56, EPERM, 0, 0, 0x410002, bits);
            expect("no new file" + what, 257, 56, ALLOW, 0, 0, 2, bits);
            expect("mkdir" + what, 83, -1, ALLOW, 0, bits);
            expect("mkdirat" + what, 258, 34, ALLOW, 0, 0, bits);
        }
        expect("chmod 1777", 90, -1, ALLOW, 06000, 01777);
        expect("fchmod 755", 91, 52, ALLOW, 06000, 0755);
        expect("fchmodat 755", 268, 53, ALLOW, 0, 06000, 0755);
        expect("fchmodat2 755", 452, 452, ALLOW, 0, 06000, 0755);
        expect("creat 755", 85, -1, ALLOW, 06000, 0755);
        expect("mknod 644", 133, -1, ALLOW, 06000, 0644);
        expect("mknodat 644", 259, 33, ALLOW, 0, 06000, 0644);
        expect("open 644", 2, -1, ALLOW, 06000, 0x41, 0644);
        expect("open to read", 2, -1, ALLOW, 06000, 0, 06000);
        expect("openat 644", 257, 56, ALLOW, 0, 06000, 0x41, 0644);
        expect("openat2", 437, 437, ENOSYS);
    }

    private void entry() {
        entry("last known", ALLOW);
    }

    private void entry(String last, int answer) {
        for (int other : new int[] {0x40000003, 0x40000028, 0, x86 ? 0xC00000B7 : 0xC000003E}) {
            all.add(new Expectation("arch " + other, other, 0, new long[0], KILL));
        }
        expect("read", 0, 63, ALLOW);
        expect("write", 1, 64, ALLOW);
        expect("execve", 59, 221, ALLOW);
        expect("landlock_restrict_self", 446, 446, ALLOW);
        expect(last, 469, 469, answer);
        expect("first unknown", 470, 470, ENOSYS);
        expect("far unknown", 0x3FFFFFFF, 0x3FFFFFFF, ENOSYS);
        expect("x32 read", 0x40000000, 0x40000000, x86 ? EPERM : ENOSYS);
        expect("x32 ptrace", 0x40000000 + 521, 0x40000000 + 521, x86 ? EPERM : ENOSYS);
        expect("minus one", -1, -1, x86 ? EPERM : ENOSYS);
    }

    private void denied() {
        for (String line : DeniedCalls.LINES) {
            String[] fields = line.split(" ", -1);
            int arm = Integer.parseInt(fields[2]);
            expect(fields[0], Integer.parseInt(fields[1]), arm, EPERM);
        }
    }

    private void processes() {
        expect("clone3", 435, 435, ENOSYS);
        expect("fork", 56, 220, ALLOW, 17);
        expect("thread", 56, 220, ALLOW, 0x3D0F00);
        expect("unshare files", 272, 97, ALLOW, 0x600);
        for (long flag : NAMESPACES) {
            expect("clone " + flag, 56, 220, EPERM, flag | 17);
            expect("clone hidden " + flag, 56, 220, EPERM, HIGH | flag | 17);
            expect("unshare " + flag, 272, 97, EPERM, flag);
            expect("unshare hidden " + flag, 272, 97, EPERM, HIGH | flag);
        }
    }

    private void terminals() {
        expect("isatty", 16, 29, ALLOW, 0, 0x5401);
        expect("window size", 16, 29, ALLOW, 0x5412, 0x5413);
        for (long request : new long[] {0x5412, 0x541C, 0x5423}) {
            expect("ioctl " + request, 16, 29, EPERM, 0, request);
            expect("ioctl high " + request, 16, 29, EPERM, 0, HIGH | request);
        }
    }

    private void personalities() {
        for (long good : new long[] {0, 8, 0x20000, 0xFFFFFFFFL, -1L, HIGH}) {
            expect("personality " + good, 135, 92, ALLOW, good);
        }
        for (long bad : new long[] {0x40000, 0x400000, 0x100000, 0x20008, HIGH | 0x40000}) {
            expect("personality " + bad, 135, 92, EPERM, bad);
        }
    }

    private void sockets(Profile profile) {
        boolean none = profile == Profile.OFFLINE;
        int unix = profile == Profile.DEFAULT ? ALLOW : EAFNOSUPPORT;
        socket("unix", unix, 1, 1, 0);
        socket("unix, bits above", unix, HIGH | 1, 1, 0);
        for (long family : new long[] {2, 10, HIGH | 2}) {
            for (long protocol : new long[] {0, 6, 17, 1, 58}) {
                socket("internet " + protocol, none ? EAFNOSUPPORT : ALLOW, family, 2, protocol);
            }
            socket("with flags", none ? EAFNOSUPPORT : ALLOW, family, 0x80801, 6);
            for (long protocol : new long[] {262, 132, 136, 33, 255, 256, HIGH | 262}) {
                int answer = none ? EAFNOSUPPORT : EPROTONOSUPPORT;
                socket("protocol " + protocol, answer, family, 1, protocol);
            }
            for (long type : new long[] {0, 3, 4, 5, 6, 10, 0x80803, HIGH | 3}) {
                int answer = none ? EAFNOSUPPORT : ESOCKTNOSUPPORT;
                socket("type " + type, answer, family, type, 0);
            }
        }
        socket("routes", none ? EAFNOSUPPORT : ALLOW, 16, 3, 0);
        for (long protocol : new long[] {9, 15, 4, HIGH | 9}) {
            socket("netlink " + protocol, EAFNOSUPPORT, 16, 3, protocol);
        }
        for (long family : new long[] {0, 17, 38, 40, 43, 44, 29, 31, 21, HIGH | 40}) {
            socket("family " + family, EAFNOSUPPORT, family, 2, 0);
        }
        expect("pair", 53, 199, ALLOW, 1, 1, 0);
        expect("pair of tipc", 53, 199, EAFNOSUPPORT, 30, 1, 0);
        expect("pair of internet", 53, 199, EAFNOSUPPORT, 2, 1, 0);
    }

    private void fastOpen() {
        long flag = 0x20000000;
        expect("sendto", 44, 206, ALLOW, 3, 0, flag, 0x4000);
        expect("sendto fast", 44, 206, EOPNOTSUPP, 3, 0, 0, flag | 0x4000);
        expect("sendto fast, high", 44, 206, EOPNOTSUPP, 3, 0, 0, HIGH | flag);
        expect("sendmsg", 46, 211, ALLOW, 3, flag, 0);
        expect("sendmsg fast", 46, 211, EOPNOTSUPP, 3, 0, flag);
        expect("sendmmsg", 307, 269, ALLOW, 3, 0, flag, 0);
        expect("sendmmsg fast", 307, 269, EOPNOTSUPP, 3, 0, 1, flag);
    }

    private void otherProcesses() {
        int[][] calls = {{302, 261}, {142, 118}, {144, 119}, {314, 274}, {203, 122}};
        for (int[] call : calls) {
            expect("own limits " + call[0], call[0], call[1], ALLOW, 0, 7);
            expect("own limits, high " + call[0], call[0], call[1], ALLOW, HIGH, 7);
            expect("other's limits " + call[0], call[0], call[1], EPERM, 4711, 7);
            expect("other's limits, high " + call[0], call[0], call[1], EPERM, HIGH | 1, 0);
        }
        expect("own priority", 141, 140, ALLOW, 0, 0, 5);
        expect("other's priority", 141, 140, EPERM, 0, 4711, 5);
        expect("group's priority", 141, 140, EPERM, 1, 0, 5);
        expect("user's priority", 141, 140, EPERM, 2, 0, 5);
        expect("own disk priority", 251, 30, ALLOW, 1, 0, 5);
        expect("other's disk priority", 251, 30, EPERM, 1, 4711, 5);
        expect("user's disk priority", 251, 30, EPERM, 3, 0, 5);
    }

    private void socket(String what, int answer, long family, long type, long protocol) {
        expect("socket " + what, 41, 198, answer, family, type, protocol);
    }

    private void expect(String what, int onX86, int onArm, int answer, long... arguments) {
        int number = x86 ? onX86 : onArm;
        if (number != -1 || "minus one".equals(what)) {
            all.add(new Expectation(what, architecture, number, arguments, answer));
        }
    }
}
