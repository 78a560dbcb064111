package palyra.skills.engine.wasmtime.internal.worker;

import io.github.kawamuray.wasmtime.Module;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A compiled module.
 *
 * @param module for stores of its engine
 * @param exports types of its functions, as {@link ExportTypes} says
 */
record CompiledModule(Module module, Map<String, String> exports) {
    private static final Set<String> CALLABLE = Set.of(">", ">7f", ">7e");

    /** Refuses exports that are missing, take parameters or return anything but one integer. */
    void check(List<String> called) {
        for (String export : called) {
            String type = exports.get(export);
            if (type == null) {
                throw new LinkException("it exports no function " + export);
            }
            if (!CALLABLE.contains(type)) {
                throw new LinkException(
                        "its function "
                                + export
                                + " has another type than () -> (), () -> i32 or () -> i64, and cannot be called");
            }
        }
        for (String own : List.of("palyra:fuel", "palyra:refuel", "palyra:stopped")) {
            if (!exports.containsKey(own)) {
                throw new LinkException("it lacks " + own + ": only admitted modules run");
            }
        }
    }
}
