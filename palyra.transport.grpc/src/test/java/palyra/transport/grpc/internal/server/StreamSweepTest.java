package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.call.OpenStreams;

class StreamSweepTest {
    private final OpenStreams streams = new OpenStreams();
    private final AtomicLong now = new AtomicLong(1_000);
    private final StreamSweep sweep = new StreamSweep(streams, now::get);
    private final FakeProof proof = new FakeProof();

    private static final class FakeProof implements Caller.Proof {
        private final AtomicInteger looks = new AtomicInteger();
        private ErrorCode answer; // null means it counts

        @Override
        public Principal principal() {
            throw new AssertionError("a sweep decides nothing that is recorded");
        }

        @Override
        public void check() {
            looks.incrementAndGet();
            if (answer != null) {
                throw new PalyraException(answer, "As the test says.");
            }
        }
    }

    private static final class FakeStream implements OpenStreams.OpenStream {
        private final Caller caller;
        private Status end;
        private Metadata trailers;

        FakeStream(Caller.Proof proof) {
            Principal alice =
                    new Principal("user:alice", PrincipalKind.USER, Set.of(), Set.of(), "t");
            caller = new Caller(alice, "", "", proof);
        }

        @Override
        public Caller caller() {
            return caller;
        }

        @Override
        public void end(Status status, Metadata with) {
            end = status;
            trailers = with;
        }
    }

    private FakeStream opened() {
        FakeStream stream = new FakeStream(proof);
        streams.register(stream);
        return stream;
    }

    @Test
    void looksEachCredentialUpOnce() {
        FakeStream one = opened();
        FakeStream two = opened();
        sweep.run();
        assertEquals(1, proof.looks.get());
        assertNull(one.end);
        assertNull(two.end);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAUTHENTICATED", "DENIED"})
    void endsWhatCountsNoLonger(ErrorCode code) {
        FakeStream stream = opened();
        proof.answer = code;
        sweep.run();
        assertEquals(Statuses.of(code, "").status().getCode(), stream.end.getCode());
        assertEquals(code.name(), stream.trailers.get(Statuses.CODE));
        assertEquals(0, streams.all().size());
    }

    @Test
    void keepsStreamsForAGraceWhileNobodyCanSay() {
        FakeStream stream = opened();
        proof.answer = ErrorCode.JOURNAL_UNAVAILABLE;
        sweep.run();
        now.addAndGet(StreamSweep.GRACE_MILLIS);
        sweep.run();
        assertNull(stream.end);
        now.addAndGet(1);
        sweep.run();
        assertEquals(Status.Code.UNAVAILABLE, stream.end.getCode());
        assertEquals("reattach", stream.trailers.get(OpenStreams.HINT));
    }

    @Test
    void anAnswerBeginsTheGraceAnew() {
        FakeStream stream = opened();
        proof.answer = ErrorCode.POLICY_UNAVAILABLE;
        sweep.run();
        proof.answer = null;
        sweep.run();
        proof.answer = ErrorCode.POLICY_UNAVAILABLE;
        now.addAndGet(StreamSweep.GRACE_MILLIS + 1);
        sweep.run();
        assertNull(stream.end);
    }

    @Test
    void endsAtOnceWhatComesAfterTheEnd() {
        streams.closeAll("It is closing.");
        FakeStream late = opened();
        assertEquals(Status.Code.UNAVAILABLE, late.end.getCode());
        assertEquals("reattach", late.trailers.get(OpenStreams.HINT));
        streams.reopen();
        assertNull(opened().end);
    }
}
