package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;

class ImpossiblePoliciesTest {
    private static Diagnostic found(Severity severity, int line, String message, String help) {
        return new Diagnostic(severity, "my.cedar", line, 5, 3, message, help, "p", "text", "^");
    }

    @Test
    void oneMistakeIsToldOnceWithTheHelpThatHelps() {
        Diagnostic guess =
                found(Severity.ERROR, 2, "not found for an action", "did you mean call?");
        Diagnostic useful = found(Severity.ERROR, 2, "optional", "try testing `x has y`");
        Diagnostic elsewhere = found(Severity.ERROR, 3, "other", "");
        Diagnostic warning = found(Severity.WARNING, 2, "warned", "");
        List<Diagnostic> told =
                ImpossiblePolicies.onceForEachPlace(
                        List.of(guess, guess, elsewhere, useful, warning, warning));
        assertEquals(4, told.size());
        assertEquals("optional (and 2 more errors here)", told.get(0).message());
        assertEquals("try testing `x has y`", told.get(0).help());
        assertEquals(List.of(elsewhere, warning, warning), told.subList(1, 4));
    }
}
