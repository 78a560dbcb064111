package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressProxies.AllowedHost;

class HostPatternTest {
    private static boolean fits(String pattern, String host, int port) {
        return HostPattern.of(AllowedHost.parse(pattern)).fits(Host.parse(host), port);
    }

    @Test
    void aWildcardFitsNamesBelowAtTheBoundaryOfALabel() {
        assertTrue(fits("*.example.test", "a.example.test", 443));
        assertTrue(fits("*.example.test", "a.b.EXAMPLE.test.", 443));
        assertFalse(fits("*.example.test", "example.test", 443));
        assertFalse(fits("*.example.test", "evilexample.test", 443));
        assertFalse(fits("*.example.test", "a.example.test.evil.test", 443));
    }

    @Test
    void aHostFitsItselfWhateverTheSpelling() {
        assertTrue(fits("EXAMPLE.test.:80", "example.test", 80));
        assertTrue(fits("bücher.example:80", "xn--bcher-kva.example", 80));
        assertFalse(fits("example.test:80", "a.example.test", 80));
        assertFalse(fits("example.test:80", "example.test", 443));
        assertTrue(fits("[::1]:80", "[0:0::1]", 80));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "*.test",
                "*.*.test",
                "a.*.test",
                "*example.test",
                "*.10.0.0.1",
                "127.1"
            })
    void whatStandsForTooMuchIsRefused(String pattern) {
        assertThrows(PalyraException.class, () -> HostPattern.of(new AllowedHost(pattern, 443)));
    }
}
