package palyra.shared.wasm;

import java.util.List;
import java.util.stream.Collectors;
import palyra.api.core.wasm.WasmHost;

/**
 * Type of a function; two are the same when their lists are.
 *
 * @param parameters types of its parameters in order
 * @param results types of its results in order
 */
public record FunctionType(List<ValueType> parameters, List<ValueType> results) {
    /** {@code () -> ()}. */
    public static final FunctionType ACTION = new FunctionType(List.of(), List.of());

    /** {@code () -> i32}. */
    public static final FunctionType ENTRYPOINT =
            new FunctionType(List.of(), List.of(ValueType.I32));

    /** Copies. */
    public FunctionType {
        parameters = List.copyOf(parameters);
        results = List.copyOf(results);
    }

    /** Returns the type of a function of a host. */
    public static FunctionType of(WasmHost.WasmFunction function) {
        return new FunctionType(
                function.parameters().stream().map(ValueType::of).toList(),
                function.results().stream().map(ValueType::of).toList());
    }

    /** Returns it as {@code (i32, i64) -> (f32)}. */
    @Override
    public String toString() {
        return text(parameters) + " -> " + text(results);
    }

    private static String text(List<ValueType> types) {
        return types.stream().map(ValueType::toString).collect(Collectors.joining(", ", "(", ")"));
    }
}
