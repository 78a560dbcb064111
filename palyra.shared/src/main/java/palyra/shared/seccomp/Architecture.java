package palyra.shared.seccomp;

import java.util.Locale;
import java.util.Optional;

/** Processors that filters exist for, both little-endian; see {@code linux/audit.h}. */
public enum Architecture {
    /** AMD64, without the x32 variant. */
    X86_64(0xC000003E),
    /** ARM, 64 bits. */
    AARCH64(0xC00000B7);

    private final int auditNumber;

    Architecture(int auditNumber) {
        this.auditNumber = auditNumber;
    }

    /** Returns what the kernel calls it in {@code struct seccomp_data}. */
    int auditNumber() {
        return auditNumber;
    }

    /** Returns the processor by what JVMs and kernels call it; empty when there is no filter. */
    public static Optional<Architecture> of(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "x86_64", "amd64", "x86-64" -> Optional.of(X86_64);
            case "aarch64", "arm64" -> Optional.of(AARCH64);
            default -> Optional.empty();
        };
    }
}
