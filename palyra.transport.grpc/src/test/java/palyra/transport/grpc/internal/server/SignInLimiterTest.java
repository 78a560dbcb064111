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
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class SignInLimiterTest {
    private final AtomicLong now = new AtomicLong();
    private final SignInLimiter signIns = new SignInLimiter(3, now::get);

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

    private static final Supplier<String> BAD =
            () -> {
                throw new PalyraException(ErrorCode.UNAUTHENTICATED, "It is not valid.");
            };

    private ErrorCode failure(InetAddress from) {
        return assertThrows(PalyraException.class, () -> signIns.attempt(from, BAD)).code();
    }

    private void fail(InetAddress from, int times) {
        for (int i = 0; i < times; i++) {
            assertEquals(ErrorCode.UNAUTHENTICATED, failure(from));
        }
    }

    private void assertShut(InetAddress from) {
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, failure(from));
    }

    @Test
    void throttlesWhatFailsBeyondTheBound() throws Exception {
        InetAddress from = address(192, 0, 2, 1);
        fail(from, 3);
        assertShut(from);
        assertShut(from);
        assertEquals(2, signIns.refused());
        fail(address(192, 0, 2, 2), 1);
    }

    @Test
    void neverRefusesAGoodCredentialForTheFailuresOfOthers() throws Exception {
        InetAddress from = address(192, 0, 2, 1);
        fail(from, 3);
        for (int i = 0; i < 1_000; i++) {
            assertShut(from);
            assertEquals("alice", signIns.attempt(from, () -> "alice"));
        }
    }

    @Test
    void doesNotCountWhatNobodyCouldDecide() throws Exception {
        InetAddress from = address(192, 0, 2, 1);
        for (int i = 0; i < 10; i++) {
            assertThrows(
                    PalyraException.class,
                    () ->
                            signIns.attempt(
                                    from,
                                    () -> {
                                        throw new PalyraException(
                                                ErrorCode.JOURNAL_UNAVAILABLE, "It is away.");
                                    }));
        }
        fail(from, 3);
    }

    @Test
    void recoversByItself() throws Exception {
        InetAddress from = address(192, 0, 2, 1);
        fail(from, 3);
        now.addAndGet(20_000);
        fail(from, 1);
        assertShut(from);
    }

    @Test
    void aNetworkOfIpv6CountsAsOne() throws Exception {
        fail(ipv6(1, 1), 2);
        fail(ipv6(1, 2), 1);
        assertShut(ipv6(1, 3));
        fail(ipv6(2, 1), 1);
    }

    @Test
    void callsWithoutAnAddressCountAsOne() {
        fail(null, 3);
        assertShut(null);
    }

    @Test
    void manyAddressesTakeBoundedMemory() throws Exception {
        for (int i = 0; i < 20_000; i++) {
            fail(address(10, i >> 16, i >> 8 & 255, i & 255), 1);
        }
        fail(address(192, 0, 2, 1), 3);
        assertShut(address(192, 0, 2, 1));
    }

    @Test
    void aGuesserIsStoppedAndItsNeighbourIsNot(@TempDir Path folder) {
        try (Port port = Port.open(new TestSettings(folder).set("failuresPerMinute", 30))) {
            ManagedChannel channel = port.plain();
            Status.Code last = Status.Code.OK;
            for (int i = 0; i < 500 && last != Status.Code.RESOURCE_EXHAUSTED; i++) {
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
            // Neither had ever signed in from here.
            assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
            assertEquals("user:bob", Port.whoAmI(Port.as(port.plain(), "bob")));
        }
    }
}
