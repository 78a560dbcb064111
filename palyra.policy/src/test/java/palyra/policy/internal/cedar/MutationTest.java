package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seeds defects into the evaluator; table, scenarios or generator must notice each. */
final class MutationTest {
    private static final int GENERATED_SETS = 60;

    @Test
    void everySeededDefectIsNoticed() throws Exception {
        List<Recorded> cases = cases();
        assertEquals("", noticed(new MutantLoader(), cases), "The code without a defect");
        List<String> survivors = new ArrayList<>();
        StringBuilder report = new StringBuilder();
        for (Mutants.Mutant mutant : Mutants.all()) {
            String by = noticed(MutantLoader.of(mutant), cases);
            if (by.isEmpty()) {
                survivors.add(mutant.name());
            }
            report.append("%n%-65s %s".formatted(mutant, by.isEmpty() ? "SURVIVES" : by));
        }
        System.out.println("Seeded defects and what noticed them:" + report);
        assertEquals(List.of(), survivors);
        assertTrue(Mutants.all().size() >= 20);
    }

    /** The table first: what it notices is noticed fastest. */
    private static List<Recorded> cases() throws Exception {
        List<Recorded> cases = new ArrayList<>();
        String table = OperatorTable.policies(OperatorTable.rows());
        cases.add(
                Oracle.run(
                        () ->
                                Recorded.of(
                                        "the operator table",
                                        table,
                                        Oracle.estHere(table),
                                        OperatorTable.world())));
        cases.add(Scenarios.recorded());
        for (long seed = 1; seed <= GENERATED_SETS; seed++) {
            cases.add(DifferentialTest.recorded(seed));
        }
        return cases;
    }

    /** The name of the first case whose answers are wrong; empty if none is. */
    private static String noticed(MutantLoader evaluator, List<Recorded> cases)
            throws ReflectiveOperationException {
        for (Recorded recorded : cases) {
            try {
                if (!evaluator.decide(recorded).equals(recorded.answers())) {
                    return recorded.name();
                }
            } catch (InvocationTargetException refused) {
                return recorded.name() + ", refused";
            }
        }
        return "";
    }
}
