package palyra.skills.internal.audit;

import java.util.Optional;

/** Finds programs for computers, as opposed to modules, in the content of files. */
final class ExecutableContent {
    private static final int PE_POINTER = 0x3c;
    private static final int MAX_PE_OFFSET = 0x1000;

    private ExecutableContent() {}

    /** Returns what sort of program a file is or holds; empty when none was found. */
    static Optional<String> find(byte[] file, boolean module) {
        if (!module) {
            Optional<String> whole = whole(file);
            if (whole.isPresent()) {
                return whole;
            }
        }
        for (int at = 0; at + 8 < file.length; at++) {
            if (file[at] == 0x7f && isElf(file, at)) {
                return Optional.of("an ELF program at byte " + at);
            }
            if (file[at] == 'M' && isPe(file, at)) {
                return Optional.of("a Windows program at byte " + at);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> whole(byte[] file) {
        int start = startsWith(file, 0, 0xEF, 0xBB, 0xBF) ? 3 : 0;
        if (startsWith(file, start, '#', '!')) {
            return Optional.of("a script with #!");
        }
        if (startsWith(file, 0, 0x7f, 'E', 'L', 'F')) {
            return Optional.of("an ELF program");
        }
        if (startsWith(file, 0, 0xFE, 0xED, 0xFA, 0xCE)
                || startsWith(file, 0, 0xFE, 0xED, 0xFA, 0xCF)
                || startsWith(file, 0, 0xCE, 0xFA, 0xED, 0xFE)
                || startsWith(file, 0, 0xCF, 0xFA, 0xED, 0xFE)) {
            return Optional.of("a Mach-O program");
        }
        if (startsWith(file, 0, 0xCA, 0xFE, 0xBA, 0xBE)) {
            return Optional.of("a Mach-O program for several processors, or a Java class");
        }
        if (startsWith(file, 0, 0, 'a', 's', 'm')) {
            return Optional.of("a WebAssembly module outside modules/");
        }
        return startsWith(file, 0, 'P', 'K', 3, 4)
                ? Optional.of("an archive, which the audit cannot inspect")
                : Optional.empty();
    }

    /** Magic, a class of 32 or 64 bits, an order of bytes, version 1. */
    private static boolean isElf(byte[] file, int at) {
        return startsWith(file, at, 0x7f, 'E', 'L', 'F')
                && (file[at + 4] == 1 || file[at + 4] == 2)
                && (file[at + 5] == 1 || file[at + 5] == 2)
                && file[at + 6] == 1;
    }

    private static boolean isPe(byte[] file, int at) {
        if (!startsWith(file, at, 'M', 'Z') || at + PE_POINTER + 4 > file.length) {
            return false;
        }
        int pointer =
                (file[at + PE_POINTER] & 0xFF)
                        | (file[at + PE_POINTER + 1] & 0xFF) << 8
                        | (file[at + PE_POINTER + 2] & 0xFF) << 16
                        | (file[at + PE_POINTER + 3] & 0xFF) << 24;
        return pointer > 0
                && pointer <= MAX_PE_OFFSET
                && startsWith(file, at + pointer, 'P', 'E', 0, 0);
    }

    private static boolean startsWith(byte[] file, int at, int... magic) {
        if (at + magic.length > file.length) {
            return false;
        }
        for (int i = 0; i < magic.length; i++) {
            if ((file[at + i] & 0xFF) != magic[i]) {
                return false;
            }
        }
        return true;
    }
}
