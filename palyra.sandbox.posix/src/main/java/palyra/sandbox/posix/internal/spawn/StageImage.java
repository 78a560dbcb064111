package palyra.sandbox.posix.internal.spawn;

import static palyra.sandbox.posix.internal.spawn.MachineCode.Register.EDI;
import static palyra.sandbox.posix.internal.spawn.MachineCode.Register.EDX;
import static palyra.sandbox.posix.internal.spawn.MachineCode.Register.ESI;
import static palyra.sandbox.posix.internal.spawn.MachineCode.Register.R10;
import static palyra.sandbox.posix.internal.spawn.MachineCode.Register.R13;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.libc.Limit;

/**
 * The same as the script of a {@link Stage}, as a program for Linux on x86-64: a file in memory of
 * less than a kilobyte that needs no loader and no library, because to start a shell takes longer
 * than all the rest of a launch. It has no input but its arguments: descriptors and limits are
 * numbers in its code, which runs from top to bottom and reads nothing but the leave to go on. See
 * elf(5) for the file and {@code asm/unistd_64.h} for the numbers of the calls.
 *
 * <p>Its first argument is the name that {@link Stage#name} gives: five bytes, none of them 0, are
 * the secret, the lowest first. The command follows.
 */
public final class StageImage {
    private static final int READ = 0;
    private static final int WRITE = 1;
    private static final int CLOSE = 3;
    private static final int EXECVE = 59;
    private static final int EXIT_GROUP = 231;
    private static final int PRLIMIT64 = 302;

    private static final long BASE = 0x40_0000;
    private static final int HEADERS = 64 + 2 * 56;
    private static final int LEAVE = 'g' | 'o' << 8 | '\n' << 16;

    private final MachineCode code = new MachineCode();
    private final Map<String, long[]> data = new LinkedHashMap<>();

    private StageImage() {}

    /**
     * Returns the file.
     *
     * @param limits what to set; more than this process may have is cut down to that
     * @param hard hard limits of this process, -1 for none
     * @param own descriptor of the file itself, which the command is not to have
     * @param doors descriptors of cgroups to join
     * @param gate descriptor that brings leave to go on; -1 for none
     */
    public static byte[] of(
            Rlimits limits, ToLongFunction<Limit> hard, int own, List<Integer> doors, int gate) {
        StageImage image = new StageImage();
        image.begin(own);
        doors.forEach(image::join);
        if (gate >= 0) {
            image.awaitLeave(gate);
        }
        image.limits(limits, hard);
        image.execute();
        image.fail();
        return image.file();
    }

    private void begin(int own) {
        code.raw(0x49, 0x89, 0xe4); // mov r12, rsp: where the arguments are
        code.raw(0x48, 0x83, 0xec, 0x40); // sub rsp, 64
        close(own);
    }

    private void close(int descriptor) {
        code.set(EDI, descriptor).call(CLOSE);
    }

    /** 0 stands for whoever writes it, see cgroups(7). */
    private void join(int door) {
        code.set(EDI, door).address(ESI, "myself").set(EDX, 2).call(WRITE);
        code.jumpUnless(2, "no cgroup");
        close(door);
    }

    /** The words come whole or not at all, because so little is written to a pipe at once. */
    private void awaitLeave(int gate) {
        code.set(EDI, gate).raw(0x48, 0x89, 0xe6).set(EDX, 3).call(READ); // mov rsi, rsp
        code.jumpUnless(3, "no leave");
        code.raw(0x8b, 0x04, 0x24); // mov eax, [rsp]
        code.raw(0x25, 0xff, 0xff, 0xff, 0x00); // and eax, 0xffffff
        code.raw(0x2d, LEAVE & 0xff, LEAVE >> 8 & 0xff, LEAVE >> 16 & 0xff, 0); // sub eax, "go\n"
        code.jumpUnless(0, "no leave");
        close(gate);
    }

    private void limits(Rlimits limits, ToLongFunction<Limit> hard) {
        limit(Limit.CORE, 0, 0);
        if (limits.cpuSeconds() > 0) {
            long most = Stage.cut(limits.cpuSeconds() + 1, Limit.CPU, hard);
            limit(Limit.CPU, Math.min(limits.cpuSeconds(), most), most);
        }
        limit(Limit.FILE, limits.fileBytes(), hard);
        limit(Limit.PROCESSES, limits.processes(), hard);
        limit(Limit.FILES, limits.openFiles(), hard);
        limit(Limit.MEMORY, limits.addressSpaceBytes(), hard);
    }

    private void limit(Limit limit, long value, ToLongFunction<Limit> hard) {
        if (value > 0) {
            long most = Stage.cut(value, limit, hard);
            limit(limit, most, most);
        }
    }

    private void limit(Limit limit, long soft, long most) {
        data.put(limit.name(), new long[] {soft, most});
        code.set(EDI, 0).set(ESI, limit.linux()).address(EDX, limit.name()).set(R10, 0);
        code.call(PRLIMIT64);
        code.jumpUnless(0, "no limit");
    }

    /**
     * Becomes the command; a text without an interpreter is one for the shell, as with execvp(3).
     */
    private void execute() {
        code.raw(0x49, 0x8b, 0x7c, 0x24, 0x10); // mov rdi, [r12+16]: the second argument
        code.raw(0x49, 0x8d, 0x74, 0x24, 0x10); // lea rsi, [r12+16]: the list from there
        environment();
        code.call(EXECVE).jumpUnless(-8, "not executed"); // ENOEXEC
        code.raw(0x4d, 0x8b, 0x7c, 0x24, 0x08); // mov r15, [r12+8]
        code.address(EDI, "shell");
        code.raw(0x49, 0x89, 0x7c, 0x24, 0x08); // mov [r12+8], rdi
        code.raw(0x49, 0x8d, 0x74, 0x24, 0x08); // lea rsi, [r12+8]
        environment();
        code.call(EXECVE);
        code.raw(0x4d, 0x89, 0x7c, 0x24, 0x08); // mov [r12+8], r15: as it was
        code.label("not executed").set(R13, 127);
        code.jumpUnless(-2, "forbidden").jump("tell"); // ENOENT
        code.label("forbidden").set(R13, 126).jump("tell");
    }

    private void environment() {
        code.raw(0x49, 0x8b, 0x04, 0x24); // mov rax, [r12]: how many arguments
        code.raw(0x49, 0x8d, 0x54, 0xc4, 0x10); // lea rdx, [r12+rax*8+16]
    }

    /** Shows the secret, with the hard limit as it is, and ends. */
    private void fail() {
        code.label("no limit").set(R13, Stage.NO_LIMIT).jump("tell");
        code.label("no cgroup").set(R13, Stage.NO_CGROUP).jump("tell");
        code.label("no leave").set(R13, Stage.NO_LEAVE);
        code.label("tell");
        code.set(EDI, 0).set(ESI, Limit.DATA.linux()).set(EDX, 0);
        code.raw(0x49, 0x89, 0xe2).call(PRLIMIT64); // mov r10, rsp
        code.raw(0x49, 0x8b, 0x44, 0x24, 0x08); // mov rax, [r12+8]: the first argument
        code.raw(0x48, 0x8b, 0x00); // mov rax, [rax]
        code.raw(0x48, 0xc1, 0xe0, 0x18, 0x48, 0xc1, 0xe8, 0x18); // shl and shr rax, 24: five bytes
        code.raw(0x48, 0x89, 0x04, 0x24); // mov [rsp], rax
        code.set(EDI, 0).set(ESI, Limit.DATA.linux());
        code.raw(0x48, 0x89, 0xe2).set(R10, 0).call(PRLIMIT64); // mov rdx, rsp
        code.raw(0x44, 0x89, 0xef).call(EXIT_GROUP); // mov edi, r13d
    }

    private byte[] file() {
        code.label("myself").raw('0', '\n');
        code.label("shell");
        for (byte each : ShellProbe.SHELL.getBytes(StandardCharsets.US_ASCII)) {
            code.raw(each);
        }
        code.raw(0);
        data.forEach((name, pair) -> code.label(name).number(pair[0]).number(pair[1]));
        byte[] program = code.bytes();
        ByteBuffer file = ByteBuffer.allocate(HEADERS + program.length);
        file.order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0}).putLong(0); // 64 bits, little end
        file.putShort((short) 2).putShort((short) 62).putInt(1); // executable, x86-64
        file.putLong(BASE + HEADERS).putLong(64).putLong(0).putInt(0);
        file.putShort((short) 64).putShort((short) 56).putShort((short) 2);
        file.putShort((short) 64).putShort((short) 0).putShort((short) 0);
        segment(file, 1, 5, BASE, file.capacity()); // loaded, for reading and execution
        segment(file, 0x6474_e551, 6, 0, 0); // the stack is not executable
        return file.put(program).array();
    }

    private static void segment(ByteBuffer file, int type, int flags, long at, long size) {
        file.putInt(type).putInt(flags).putLong(0).putLong(at).putLong(at);
        file.putLong(size).putLong(size).putLong(0x1000);
    }
}
