package palyra.sandbox.posix.internal.spawn;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes instructions of x86-64: the few that {@link StageImage} is made of, each with one form of
 * its operands. Encodings are those of the Intel 64 manual, volume 2; the call of the system is
 * that of syscall(2): number in rax, arguments in rdi, rsi, rdx and r10, the result in rax, and rcx
 * and r11 are lost. For one thread at a time.
 */
final class MachineCode {
    /** Registers that arguments are put into. */
    enum Register {
        /** The number of the call. */
        EAX(0xb8, new int[0], 0),
        /** Fourth argument. */
        R10(0xba, new int[] {0x41}, 0),
        /** A number to be kept over calls. */
        R13(0xbd, new int[] {0x41}, 0),
        /** First argument. */
        EDI(0xbf, new int[0], 0x3d),
        /** Second argument. */
        ESI(0xbe, new int[0], 0x35),
        /** Third argument. */
        EDX(0xba, new int[0], 0x15);

        private final int load;
        private final int[] prefix;
        private final int address;

        Register(int load, int[] prefix, int address) {
            this.load = load;
            this.prefix = prefix;
            this.address = address;
        }
    }

    private record Gap(int at, String label) {}

    private final ByteArrayOutputStream code = new ByteArrayOutputStream();
    private final Map<String, Integer> labels = new HashMap<>();
    private final List<Gap> gaps = new ArrayList<>();

    /** Writes bytes as they are. */
    MachineCode raw(int... bytes) {
        for (int each : bytes) {
            code.write(each);
        }
        return this;
    }

    /** Sets a register to a number; the upper half becomes 0. */
    MachineCode set(Register register, int value) {
        return raw(register.prefix).raw(register.load).word(value);
    }

    /** Sets a register to the address of a label; for edi, esi and edx. */
    MachineCode address(Register register, String label) {
        return raw(0x48, 0x8d, register.address).gap(label);
    }

    /** Calls the system by its number. */
    MachineCode call(int number) {
        return set(Register.EAX, number).raw(0x0f, 0x05);
    }

    /** Goes to a label. */
    MachineCode jump(String label) {
        return raw(0xe9).gap(label);
    }

    /** Goes to a label unless rax is this small number. */
    MachineCode jumpUnless(int small, String label) {
        return raw(0x48, 0x83, 0xf8, small & 0xff, 0x0f, 0x85).gap(label);
    }

    /** Says where a label is. */
    MachineCode label(String label) {
        labels.put(label, code.size());
        return this;
    }

    /** Writes 8 bytes of data. */
    MachineCode number(long value) {
        return word((int) value).word((int) (value >>> 32));
    }

    private MachineCode word(int value) {
        return raw(value & 0xff, value >>> 8 & 0xff, value >>> 16 & 0xff, value >>> 24);
    }

    private MachineCode gap(String label) {
        gaps.add(new Gap(code.size(), label));
        return word(0);
    }

    /** Returns everything, with the distances to the labels filled in. */
    byte[] bytes() {
        byte[] all = code.toByteArray();
        ByteBuffer buffer = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        for (Gap gap : gaps) {
            buffer.putInt(gap.at(), labels.get(gap.label()) - (gap.at() + 4));
        }
        return all;
    }
}
