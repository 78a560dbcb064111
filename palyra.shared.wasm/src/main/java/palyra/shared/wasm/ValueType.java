package palyra.shared.wasm;

import java.util.Locale;
import palyra.api.core.wasm.WasmHost;

/** Types of values in an admitted module; functions have numbers only. */
public enum ValueType {
    /** 32-bit integer. */
    I32(0x7F),
    /** 64-bit integer. */
    I64(0x7E),
    /** 32-bit float. */
    F32(0x7D),
    /** 64-bit float. */
    F64(0x7C);

    private final int code;

    ValueType(int code) {
        this.code = code;
    }

    /** Returns its byte in the binary format. */
    public int code() {
        return code;
    }

    /** Returns what the seam to engines calls it. */
    public WasmHost.Number number() {
        return WasmHost.Number.valueOf(name());
    }

    /** Returns the type that the seam to engines calls so. */
    public static ValueType of(WasmHost.Number number) {
        return valueOf(number.name());
    }

    /**
     * Returns the type with a byte of the binary format.
     *
     * @throws IllegalArgumentException for any other byte
     */
    public static ValueType of(int code) {
        return switch (code) {
            case 0x7F -> I32;
            case 0x7E -> I64;
            case 0x7D -> F32;
            case 0x7C -> F64;
            default -> throw new IllegalArgumentException("no number type: " + code);
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
