package palyra.lib.cedar;

import java.util.List;
import java.util.Objects;

/**
 * What came of a {@link CompileRequest}. Immutable.
 *
 * @param request what was asked
 * @param diagnostics errors first, then warnings, each in the order of files and lines
 * @param policies policies and templates in the order of files and lines; empty when there are
 *     errors
 * @param json the whole set in Cedar's official JSON form ({@code staticPolicies}, {@code
 *     templates}, {@code templateLinks}) under the ids of {@code policies} and links; empty when
 *     there are errors
 */
public record Compilation(
        CompileRequest request,
        List<Diagnostic> diagnostics,
        List<CompiledPolicy> policies,
        String json) {
    /** Copies the lists. */
    public Compilation {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(json, "json");
        diagnostics = List.copyOf(diagnostics);
        policies = List.copyOf(policies);
    }

    /** Whether there are no errors. Warnings do not count. */
    public boolean ok() {
        return diagnostics.stream().noneMatch(Diagnostic::isError);
    }
}
