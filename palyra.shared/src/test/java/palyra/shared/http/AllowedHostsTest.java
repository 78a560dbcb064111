package palyra.shared.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;

class AllowedHostsTest {
    private static final String LOCAL = "127.0.0.1";
    private static final AllowedHosts HOSTS =
            AllowedHosts.of(new String[] {" Gateway.Example ", ""});

    private static Optional<Integer> refusal(
            String host, boolean secure, String local, String remote) {
        RequestInfo request = new RequestInfo("POST", host, secure, local, remote, false, null);
        return HOSTS.refusal(request, "palyra.example").map(AllowedHosts.Refusal::status);
    }

    @Test
    void takesItsOwnNamesAndAddressesOnly() {
        for (String own : Set.of("localhost:1", LOCAL, "[::1]:7142", "gateway.example:443")) {
            assertEquals(Optional.empty(), refusal(own, false, LOCAL, LOCAL), own);
        }
        for (String other : Set.of("evil.example", "", "10.0.0.9", "gateway.example.evil")) {
            assertEquals(Optional.of(421), refusal(other, false, LOCAL, LOCAL), other);
        }
    }

    @Test
    void namesTheSettingOfTheFace() {
        RequestInfo request =
                new RequestInfo("GET", "evil.example", false, LOCAL, LOCAL, false, null);
        String reason = HOSTS.refusal(request, "palyra.example").orElseThrow().reason();
        assertTrue(reason.contains("allowedHosts of palyra.example"), reason);
    }

    @Test
    void takesOtherMachinesOverTlsOnly() {
        assertEquals(Optional.of(403), refusal("10.0.0.1", false, "10.0.0.1", "10.0.0.7"));
        assertEquals(Optional.of(403), refusal("10.0.0.1", false, "10.0.0.1", LOCAL));
        assertEquals(Optional.of(403), refusal("localhost", false, LOCAL, "10.0.0.7"));
        assertEquals(Optional.empty(), refusal("10.0.0.1", true, "10.0.0.1", "10.0.0.7"));
    }

    @Test
    void refusesASettingThatIsNoHostName() {
        for (String wrong : Set.of("a:1", "http://a", "a/b", "ä")) {
            assertThrows(PalyraException.class, () -> AllowedHosts.of(new String[] {wrong}), wrong);
        }
    }

    @Test
    void readsTokensOfOneFormOnly() {
        assertEquals("palyra_x", Bearer.token(" bearer   palyra_x ").orElseThrow().secret());
        for (String wrong : Set.of("Bearer", "Bearer ", "palyra_x", "Basic eA==", "Bearer a b")) {
            assertTrue(Bearer.token(wrong).isEmpty(), wrong);
        }
        assertTrue(Bearer.token("Bearer " + "a".repeat(513)).isEmpty());
    }
}
