package palyra.skills.engine.wasmtime.internal.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What may pass between gateway and worker. */
class FrameStreamTest {
    private static byte[] sent(Frame... frames) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FrameStream wire = new FrameStream(InputStream.nullInputStream(), out, false);
        for (Frame frame : frames) {
            wire.send(frame);
        }
        return out.toByteArray();
    }

    private static FrameStream over(byte[] bytes, boolean fromWorker) {
        return new FrameStream(
                new ByteArrayInputStream(bytes), OutputStream.nullOutputStream(), fromWorker);
    }

    @Test
    void carriesFrames() throws Exception {
        Messages.Order order =
                new Messages.Order(
                        "digest",
                        true,
                        List.of("a", "b"),
                        7,
                        3,
                        List.of(new Messages.Given("m", "n", "ild", "f")));
        FrameStream wire =
                over(sent(new Frame(Kind.ORDER, 5, order.bytes()), new Frame(Kind.HALT, 6)), false);
        Frame first = wire.receive();
        assertEquals(5, first.call());
        assertEquals(order, Messages.Order.of(first));
        assertEquals(Kind.HALT, wire.receive().kind());
        assertNull(wire.receive());
    }

    @Test
    void carriesEnds() throws Exception {
        Messages.End end = new Messages.End(CallEnding.TRAPPED, -1, 2, 3, "grün", 4);
        assertEquals(end, Messages.End.of(new Frame(Kind.END, 1, end.bytes())));
        Messages.HostCall call = new Messages.HostCall(1, 2, 7, new long[] {-3, 4});
        Messages.HostCall back = Messages.HostCall.of(new Frame(Kind.HOST, 1, call.bytes()));
        assertArrayEquals(call.arguments(), back.arguments());
    }

    @Test
    void refusesFramesOfTheWrongSide() throws Exception {
        byte[] order = sent(new Frame(Kind.CANCEL, 1));
        assertThrows(ProtocolException.class, () -> over(order, true).receive());
        byte[] hello = sent(new Frame(Kind.HELLO, 0));
        assertThrows(ProtocolException.class, () -> over(hello, false).receive());
    }

    @Test
    void refusesWhatIsNoFrame() throws Exception {
        byte[] huge = {127, 0, 0, 0, 1};
        assertThrows(ProtocolException.class, () -> over(huge, true).receive());
        byte[] small = {0, 0, 0, 3, 1, 1, 1};
        assertThrows(ProtocolException.class, () -> over(small, true).receive());
        byte[] unknown = {0, 0, 0, 9, 99, 0, 0, 0, 0, 0, 0, 0, 0};
        assertThrows(ProtocolException.class, () -> over(unknown, true).receive());
        byte[] whole = sent(new Frame(Kind.END, 1, new byte[40]));
        for (int length = 1; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThrows(EOFException.class, () -> over(cut, true).receive());
        }
    }

    @Test
    void refusesBodiesThatAreNotExact() throws Exception {
        byte[] body = new Messages.End(CallEnding.LINK, 1, 2, 3, "why", 4).bytes();
        for (int length = 0; length < body.length; length++) {
            Frame cut = new Frame(Kind.END, 1, Arrays.copyOf(body, length));
            assertThrows(ProtocolException.class, () -> Messages.End.of(cut));
        }
        Frame longer = new Frame(Kind.END, 1, Arrays.copyOf(body, body.length + 1));
        assertThrows(ProtocolException.class, () -> Messages.End.of(longer));
        byte[] other = body.clone();
        other[3] = 99;
        assertThrows(ProtocolException.class, () -> Messages.End.of(new Frame(Kind.END, 1, other)));
    }
}
