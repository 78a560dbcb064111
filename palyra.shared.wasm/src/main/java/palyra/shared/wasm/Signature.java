package palyra.shared.wasm;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Type of a function or block as the binary format has it: bytes of value types. Compared by
 * content; its arrays are never changed.
 */
final class Signature {
    private static final byte[] NONE = {};
    private static final Signature EMPTY = new Signature(NONE, NONE);
    private static final List<Signature> ONE_RESULT =
            IntStream.rangeClosed(0x7C, 0x7F)
                    .mapToObj(code -> new Signature(NONE, new byte[] {(byte) code}))
                    .toList();

    private final byte[] parameters;
    private final byte[] results;

    Signature(byte[] parameters, byte[] results) {
        this.parameters = parameters;
        this.results = results;
    }

    /** Returns the type of a block without parameters and results. */
    static Signature empty() {
        return EMPTY;
    }

    /** Returns the type of a block with one result. */
    static Signature result(int code) {
        return ONE_RESULT.get(code - 0x7C);
    }

    byte[] parameters() {
        return parameters;
    }

    byte[] results() {
        return results;
    }

    /** Returns it as the rules have it. */
    FunctionType type() {
        return new FunctionType(types(parameters), types(results));
    }

    private static List<ValueType> types(byte[] codes) {
        return IntStream.range(0, codes.length).mapToObj(i -> ValueType.of(codes[i])).toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Signature that
                && Arrays.equals(parameters, that.parameters)
                && Arrays.equals(results, that.results);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(parameters) + Arrays.hashCode(results);
    }

    @Override
    public String toString() {
        return type().toString();
    }
}
