package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.Diagnostic;

final class ValidationCacheTest {
    private static final Cedar NATIVE = ServiceLoader.load(Cedar.class).findFirst().orElseThrow();
    private static final String SCHEMA =
            """
            entity User { age: Long };
            entity Doc;
            action read appliesTo { principal: User, resource: Doc };
            """;
    private static final String OLD =
            "permit (principal, action == Action::\"read\", resource) when { principal.age > 1 };";
    private static final String FINE =
            "forbid (principal, action == Action::\"read\", resource) when { principal.age < 9 };";
    private static final String WRONG =
            "forbid (principal, action == Action::\"read\", resource) when { principal.ape < 9 };";
    private static final String ODD =
            "permit (principal, action == Action::\"read\", resource) when { principal == resource };";

    /** The texts that were validated, in the order in which that was asked for. */
    private final List<String> validated = new ArrayList<>();

    private final Cedar cedar =
            (Cedar)
                    Proxy.newProxyInstance(
                            Cedar.class.getClassLoader(),
                            new Class<?>[] {Cedar.class},
                            (proxy, method, args) -> {
                                if (args != null
                                        && args[0] instanceof CompileRequest request
                                        && request.validates()
                                        && request.schema().isPresent()) {
                                    request.policies()
                                            .forEach(
                                                    file ->
                                                            validated.add(
                                                                    new String(
                                                                            file.bytes(),
                                                                            StandardCharsets
                                                                                    .UTF_8)));
                                }
                                try {
                                    return method.invoke(NATIVE, args);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });

    private final ValidationCache validations = new ValidationCache();

    private Compilation compile(String schema, String... texts) {
        List<CedarFile> files = new ArrayList<>();
        for (String text : texts) {
            files.add(CedarFile.of("f" + files.size() + ".cedar", text));
        }
        validated.clear();
        return validations.compile(
                cedar,
                CompileRequest.of(files).withSchema(CedarFile.of("schema.cedarschema", schema)));
    }

    @Test
    void whatWasValidIsNotValidatedAgain() {
        Compilation first = compile(SCHEMA, OLD);
        assertEquals(List.of(OLD), validated);
        Compilation again = compile(SCHEMA, OLD);
        assertEquals(List.of(), validated);
        assertEquals(first.json(), again.json());
        assertEquals(first.policies(), again.policies());
        assertTrue(compile(SCHEMA, OLD, FINE).ok());
        assertEquals(List.of(FINE), validated);
        assertTrue(compile(SCHEMA, FINE, OLD).ok());
        assertEquals(List.of(), validated);
    }

    @Test
    void whatChangedIsFoundAtItsPlace() {
        assertTrue(compile(SCHEMA, OLD).ok());
        Compilation changed = compile(SCHEMA, OLD, "// a line\n" + WRONG);
        assertFalse(changed.ok());
        Diagnostic error = changed.diagnostics().get(0);
        assertEquals("f1.cedar:2", error.file() + ":" + error.line());
        assertTrue(compile(SCHEMA, OLD, FINE).ok());
        assertFalse(compile(SCHEMA, OLD, WRONG).ok(), "nothing wrong is ever remembered");
    }

    @Test
    void aPolicyThatDoesNotParseIsFoundWithWhatElseIsWrong() {
        assertTrue(compile(SCHEMA, OLD).ok());
        Compilation changed = compile(SCHEMA, OLD, WRONG, "permit (principal, action;");
        assertEquals(
                List.of("f1.cedar", "f2.cedar"),
                changed.diagnostics().stream().map(Diagnostic::file).distinct().toList());
    }

    @Test
    void anotherSchemaMakesEverythingUnknown() {
        assertTrue(compile(SCHEMA, OLD, FINE).ok());
        assertFalse(compile(SCHEMA.replace("age", "years"), OLD, FINE).ok());
        assertTrue(compile(SCHEMA.replace("entity Doc", "entity Doc, Leaf"), OLD, FINE).ok());
        assertTrue(validated.contains(OLD) || validated.contains(OLD + "\n" + FINE));
    }

    @Test
    void warningsAreToldEveryTime() {
        assertTrue(compile(SCHEMA, OLD).ok());
        for (int i = 0; i < 3; i++) {
            Compilation odd = compile(SCHEMA, OLD, ODD);
            assertTrue(odd.ok());
            assertEquals(1, odd.diagnostics().size());
            assertEquals("f1.cedar", odd.diagnostics().get(0).file());
        }
    }
}
