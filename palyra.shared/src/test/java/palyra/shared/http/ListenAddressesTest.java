package palyra.shared.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ListenAddressesTest {
    private static ListenAddresses of(String... endpoints) {
        return ListenAddresses.of(Map.of("osgi.http.endpoint", endpoints));
    }

    @Test
    void normalisesWhatTheRuntimeSays() {
        assertEquals(
                Optional.of("http://127.0.0.1:7142"), of("http://127.0.0.1:7142/").preferred());
        assertEquals(
                Optional.of("http://127.0.0.1:80"),
                ListenAddresses.of(Map.of("osgi.http.endpoint", "http://localhost:80/x/"))
                        .preferred());
        assertEquals(
                List.of("http://[::1]:1", "https://10.0.0.1:2"),
                ListenAddresses.of(
                                Map.of(
                                        "osgi.http.endpoint",
                                        List.of("http://[::1]:1/", "https://10.0.0.1:2")))
                        .uris());
    }

    @Test
    void prefersLoopback() {
        assertEquals(
                Optional.of("http://127.0.0.1:2"),
                of("https://10.0.0.1:1", "http://127.0.0.1:2").preferred());
    }

    @Test
    void prefersAPlainAddressAndLeavesZonesOut() {
        assertEquals(
                Optional.of("http://10.0.0.1:1"),
                of("http://[fd00::2%eth0]:1/", "http://10.0.0.1:1/").preferred());
        assertEquals(Optional.of("http://[fd00::2]:1"), of("http://[fd00::2%eth0]:1/").preferred());
    }

    @Test
    void knowsWhoCanReachIt() {
        assertEquals(
                ListenAddresses.Reach.LOOPBACK, of("http://127.0.0.1:1", "http://[::1]:1").reach());
        assertEquals(
                ListenAddresses.Reach.NETWORK,
                of("http://127.0.0.1:1", "http://10.0.0.1:1").reach());
        assertEquals(ListenAddresses.Reach.NETWORK, of("http://gateway.example:1").reach());
        assertTrue(of("http://0.0.0.0:1").exposesPlainHttp());
        assertFalse(of("https://10.0.0.1:1", "http://127.0.0.1:1").exposesPlainHttp());
    }

    @Test
    void whatItCannotReadItDoesNotKnow() {
        assertEquals(ListenAddresses.Reach.UNKNOWN, ListenAddresses.of(Map.of()).reach());
        assertEquals(
                ListenAddresses.Reach.UNKNOWN,
                of("/", "http://x", "ftp://127.0.0.1:1", "::", "").reach());
        assertEquals(
                ListenAddresses.Reach.UNKNOWN,
                ListenAddresses.of(Map.of("osgi.http.endpoint", 7)).reach());
    }
}
