package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.PolicySetCompiler;

/** What the scanner of the native engine takes is taken by the compiled evaluator too. */
class OneLimitTest {
    private static final List<IntFunction<String>> SHAPES =
            List.of(
                    n -> "1" + " + 1".repeat(n) + " == 1",
                    n -> "context" + ".a".repeat(n) + " == 1",
                    n -> "context" + "[\"a\"]".repeat(n) + " == 1",
                    n -> "context has a" + ".a".repeat(n),
                    n -> "(".repeat(n) + "1 == 1" + ")".repeat(n),
                    n -> "!(".repeat(n) + "true" + ")".repeat(n),
                    n -> "(true || (false && ".repeat(n) + "true" + "))".repeat(n),
                    n -> "1 == (if true || false then (".repeat(n) + "1" + ") else 2)".repeat(n),
                    n -> "if true then 1 == 1 else ".repeat(n) + "1 == 2",
                    n -> "[".repeat(n) + "1" + "]".repeat(n) + " == 1",
                    n -> "{a: ".repeat(n) + "1" + "}".repeat(n) + " == 1",
                    n -> "[1]" + ".contains([1]".repeat(n) + ")".repeat(n),
                    n -> "principal is User in User::\"a\"" + " && 1 + 1 == 2".repeat(n),
                    n -> "[" + "1 + 1, ".repeat(n * 20) + "1] == 1");

    private static Compilation compile(String condition) {
        String policy = "permit(principal, action, resource) when { " + condition + " };";
        return Sets.CEDAR.compile(CompileRequest.of(List.of(CedarFile.of("a.cedar", policy))));
    }

    @Test
    void theEvaluatorTakesWhateverTheScannerTakes() {
        PolicySetCompiler evaluator = new PolicySetCompiler(PolicySetLimits.STANDARD);
        for (int shape = 0; shape < SHAPES.size(); shape++) {
            boolean taken = false;
            boolean refused = false;
            for (int n : List.of(1, 10, 25, 45, 48, 60, 90, 150, 190, 197, 205, 300, 999, 2_000)) {
                Compilation compiled = compile(SHAPES.get(shape).apply(n));
                String what = "shape " + shape + " with " + n;
                taken |= compiled.ok();
                refused |= !compiled.ok();
                if (compiled.ok()) {
                    Executable compiling = () -> evaluator.compile(compiled.json());
                    assertDoesNotThrow(compiling, what);
                }
            }
            assertTrue(taken && refused, "shape " + shape + " is taken small and refused large");
        }
    }
}
