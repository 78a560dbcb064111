package palyra.shared.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import palyra.shared.hash.Digests;

/**
 * A filter as the kernel takes it: an array of {@code struct sock_filter}, little-endian. Immutable
 * and thread-safe; the same profile and processor always give the same bytes.
 *
 * <p>It refuses what reaches deep into the kernel and what no tool needs, sockets by profile, modes
 * of files by which programs run as their owner, and all calls that are newer than this list.
 * 32-bit programs end at their first call. Format: seccomp(2), {@code linux/filter.h}.
 */
public final class SeccompFilter {
    private static final int MOST_INSTRUCTIONS = 4096; // BPF_MAXINSNS

    private final byte[] program;
    private final String sha256;

    private SeccompFilter(byte[] program) {
        this.program = program;
        this.sha256 = Digests.sha256Hex(program);
    }

    /** Returns the filter of a profile for a processor. */
    public static SeccompFilter of(Profile profile, Architecture architecture) {
        return assemble(Rules.of(profile, architecture));
    }

    /**
     * Returns the filter that hands calls for the metadata of files to the supervisor that listens
     * to it, see seccomp_unotify(2); it goes on top of one of {@link #of}, which refuses io_uring
     * and new namespaces.
     */
    public static SeccompFilter ofMetadata(Architecture architecture) {
        return assemble(Rules.ofMetadata(architecture));
    }

    static SeccompFilter assemble(List<Rule> rules) {
        int count = rules.stream().mapToInt(rule -> rule.instructions().size()).sum();
        if (count > MOST_INSTRUCTIONS) {
            throw new IllegalArgumentException("a filter of " + count + " instructions");
        }
        ByteBuffer buffer =
                ByteBuffer.allocate(count * Instruction.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (Rule rule : rules) {
            for (Instruction instruction : rule.instructions()) {
                buffer.putShort((short) instruction.code());
                buffer.put((byte) instruction.ifTrue());
                buffer.put((byte) instruction.ifFalse());
                buffer.putInt(instruction.operand());
            }
        }
        return new SeccompFilter(buffer.array());
    }

    /** Returns a copy of the program. */
    public byte[] bytes() {
        return program.clone();
    }

    /** Returns SHA-256 of the program as lower-case hex. */
    public String sha256() {
        return sha256;
    }
}
