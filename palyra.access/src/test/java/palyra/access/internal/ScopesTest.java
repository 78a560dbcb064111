package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;

class ScopesTest {
    @Test
    void noScopeMeansNoLimit() {
        assertTrue(Scopes.allow(Set.of(), "run.start"));
        assertTrue(Scopes.within(Set.of("run.start"), Set.of()));
        assertFalse(Scopes.within(Set.of(), Set.of("run.start")));
    }

    @Test
    void matchesNamesAndPrefixes() {
        assertTrue(Scopes.allow(Set.of("run.start"), "run.start"));
        assertFalse(Scopes.allow(Set.of("run.start"), "run.started"));
        assertTrue(Scopes.allow(Set.of("run.*"), "run.cancel"));
        assertFalse(Scopes.allow(Set.of("run.*"), "runs.cancel"));
        assertTrue(Scopes.allow(Set.of("*"), "system.stop"));
    }

    @Test
    void aPrefixIsNotWithinANameOrALongerPrefix() {
        assertFalse(Scopes.within(Set.of("run.*"), Set.of("run.start")));
        assertFalse(Scopes.within(Set.of("*"), Set.of("run.*")));
        assertFalse(Scopes.within(Set.of("run*"), Set.of("run.*")));
        assertTrue(Scopes.within(Set.of("run.st*", "run.read"), Set.of("run.*")));
        assertFalse(Scopes.within(Set.of("run.read", "tape.read"), Set.of("run.*")));
    }

    @Test
    void refusesScopesThatFitNothing() {
        for (String scope :
                Set.of("run.fly", "runn.*", "run.*.x", "", "RUN.*", "run start", "**", "x*y")) {
            assertThrows(
                    PalyraException.class, () -> Scopes.require(Set.of(scope)), "'" + scope + "'");
        }
        for (String scope : Set.of("run.start", "run.*", "*", "extension.weather", "access.t*")) {
            assertDoesNotThrow(() -> Scopes.require(Set.of(scope)), scope);
        }
    }
}
