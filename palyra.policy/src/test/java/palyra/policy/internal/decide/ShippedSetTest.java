package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Diagnostic;

class ShippedSetTest {
    @Test
    void passesStrictValidationWithoutWarnings() {
        assertEquals(
                List.of(),
                Sets.CEDAR
                        .checkSchema(
                                CedarFile.of("schema.cedarschema", Sets.read("schema.cedarschema")))
                        .stream()
                        .map(Diagnostic::render)
                        .toList());
        Sets.shipped();
    }

    @Test
    void obligesToNothingThatCannotBeRead() {
        assertEquals(List.of(), new AnnotationChecks().check(Sets.shipped()));
    }

    @Test
    void keepsItsOwnExamples() {
        CaseRunner.Results results =
                new CaseRunner()
                        .run(
                                Sets.shipped(),
                                Stream.of("default", "coding", "research")
                                        .map(name -> name + ".cases.json")
                                        .map(name -> new PolicyText(name, Sets.read(name)))
                                        .toList());

        assertEquals(List.of(), results.problems().stream().map(PolicyProblem::message).toList());
        assertTrue(results.run() >= 50, "only " + results.run() + " cases");
    }
}
