package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Credential;

class SignInsTest {
    private static final Credential GOOD = new Credential.ApiToken("palyra_good");
    private static final Credential BAD = new Credential.ApiToken("palyra_bad");

    private final AtomicLong now = new AtomicLong();
    private final SignIns signIns = new SignIns(3, now::get);

    private static InetAddress address(int... bytes) throws Exception {
        byte[] raw = new byte[bytes.length];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (byte) bytes[i];
        }
        return InetAddress.getByAddress(raw);
    }

    private static InetAddress ipv6(int network, int host) throws Exception {
        return address(0x20, 1, 0xd, 0xb8, 0, 0, 0, network, 0, 0, 0, 0, 0, 0, 0, host);
    }

    private void fail(InetAddress from, int times) {
        for (int i = 0; i < times; i++) {
            signIns.requireLooking(from, BAD);
            signIns.failed(from, BAD);
        }
    }

    private void assertShut(InetAddress from, Credential credential) {
        PalyraException refusal =
                assertThrows(PalyraException.class, () -> signIns.requireLooking(from, credential));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refusal.code());
    }

    @Test
    void looksAtNoMoreThanTheBound() throws Exception {
        InetAddress from = address(192, 0, 2, 1);
        fail(from, 3);
        assertShut(from, BAD);
        assertShut(from, GOOD);
        assertEquals(2, signIns.refused());
        signIns.requireLooking(address(192, 0, 2, 2), BAD);
    }

    @Test
    void looksAgainAfterAWhile() throws Exception {
        InetAddress from = address(192, 0, 2, 1);
        fail(from, 3);
        now.addAndGet(20_000);
        fail(from, 1);
        assertShut(from, BAD);
    }

    @Test
    void whatWorkedFromThereIsAlwaysLookedAt() throws Exception {
        InetAddress from = address(192, 0, 2, 1);
        signIns.succeeded(from, GOOD);
        fail(from, 3);
        signIns.requireLooking(from, GOOD);
        assertShut(from, BAD);
        signIns.failed(from, GOOD);
        assertShut(from, GOOD);
    }

    @Test
    void aNetworkOfIpv6CountsAsOne() throws Exception {
        fail(ipv6(1, 1), 2);
        fail(ipv6(1, 2), 1);
        assertShut(ipv6(1, 3), BAD);
        signIns.requireLooking(ipv6(2, 1), BAD);
    }

    @Test
    void callsWithoutAnAddressCountAsOne() {
        fail(null, 3);
        assertShut(null, BAD);
    }

    @Test
    void manyAddressesTakeBoundedMemory() throws Exception {
        for (int i = 0; i < 20_000; i++) {
            signIns.failed(address(10, i >> 16, i >> 8 & 255, i & 255), BAD);
        }
        fail(address(192, 0, 2, 1), 3);
        assertShut(address(192, 0, 2, 1), BAD);
    }

    @Test
    void aGuesserIsStoppedAndItsNeighbourIsNot(@TempDir Path folder) {
        try (Port port = Port.open(new TestSettings(folder).set("failuresPerMinute", 2))) {
            ManagedChannel channel = port.plain();
            assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
            Status.Code last = Status.Code.OK;
            for (int i = 0; i < 50 && last != Status.Code.RESOURCE_EXHAUSTED; i++) {
                String guess = "guess" + i;
                last =
                        assertThrows(
                                        StatusRuntimeException.class,
                                        () -> Port.whoAmI(Port.as(channel, guess)))
                                .getStatus()
                                .getCode();
            }
            assertEquals(Status.Code.RESOURCE_EXHAUSTED, last);
            assertTrue(port.metric("palyra_grpc_sign_ins_refused_total") >= 1);
            assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
        }
    }
}
