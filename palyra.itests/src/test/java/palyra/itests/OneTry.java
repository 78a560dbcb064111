package palyra.itests;

import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * A rule for proofs: what must never happen must not happen in one of two tries either. The build
 * tries a test that failed once more, in the same JVM; a proof fails then without another look.
 */
public final class OneTry implements TestRule {
    @Override
    public Statement apply(Statement test, Description description) {
        return new Statement() {
            @Override
            public void evaluate() throws Throwable {
                claim(description.getDisplayName());
                test.evaluate();
            }
        };
    }

    /** A system property lasts longer than a framework that a story runs in. */
    private static void claim(String name) {
        String property = "palyra.tried." + name;
        if (Boolean.getBoolean(property)) {
            throw new AssertionError(name + " failed; it is a proof and has no second try");
        }
        System.setProperty(property, "true");
    }
}
