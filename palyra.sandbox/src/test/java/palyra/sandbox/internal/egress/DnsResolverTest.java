package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;

class DnsResolverTest {
    @Test
    void anAddressIsNotLookedUp() {
        try (DnsResolver resolver =
                new DnsResolver(
                        name -> {
                            throw new IllegalStateException(name);
                        })) {
            assertEquals(
                    "8.8.8.8",
                    resolver.addresses(Host.parse("8.8.8.8"), 1_000).get(0).getHostAddress());
            RefusedException failed =
                    assertThrows(
                            RefusedException.class,
                            () -> resolver.addresses(Host.parse("a.test"), 30_000));
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, failed.code());
        }
        Stage.awaitNoThreads();
    }

    @Test
    void aNameServiceThatHangsEndsAtTheDeadlineAndHasABoundedQueue() {
        CountDownLatch never = new CountDownLatch(1);
        try (DnsResolver resolver =
                new DnsResolver(
                        name -> {
                            try {
                                never.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return List.<InetAddress>of();
                        })) {
            RefusedException late =
                    assertThrows(
                            RefusedException.class,
                            () -> resolver.addresses(Host.parse("a.test"), 50));
            assertEquals(ErrorCode.TIMED_OUT, late.code());
            Thread.currentThread().interrupt();
            RefusedException interrupted =
                    assertThrows(
                            RefusedException.class,
                            () -> resolver.addresses(Host.parse("a.test"), 30_000));
            assertEquals(ErrorCode.CANCELLED, interrupted.code());
            assertEquals(true, Thread.interrupted());
        } finally {
            never.countDown();
        }
        Stage.awaitNoThreads();
    }
}
