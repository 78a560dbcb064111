package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.core.ops.Ops;

class OwnPortsTest {
    private final OwnPorts ports = new OwnPorts();

    private void put(long id, String uri) {
        ports.put(Map.of("service.id", id, Ops.ENDPOINT_URI, uri));
    }

    @Test
    void portsComeChangeAndGoWithTheirEndpoints() {
        put(1, "http://127.0.0.1:7142");
        put(2, "tcp://[::1]:7443");
        put(3, "unix:/run/command.sock");
        put(4, "https://gateway.example/");
        put(5, "not a uri");
        assertTrue(ports.contains(7_142) && ports.contains(7_443) && ports.contains(443));
        put(1, "http://127.0.0.1:7150");
        assertFalse(ports.contains(7_142));
        assertTrue(ports.contains(7_150));
        ports.put(Map.of("service.id", 2L, Ops.ENDPOINT_STATE, Ops.ENDPOINT_FAILED));
        assertFalse(ports.contains(7_443));
        ports.remove(Map.of("service.id", 1L));
        assertFalse(ports.contains(7_150));
    }
}
