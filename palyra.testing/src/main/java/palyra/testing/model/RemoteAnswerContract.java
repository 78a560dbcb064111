package palyra.testing.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import palyra.api.model.ModelEvent;
import palyra.api.model.ToolProposal;
import palyra.testing.http.FaultServer;
import palyra.testing.wait.Await;

/** Rules for complete answers of a provider on the network, in every form they can take. */
public abstract class RemoteAnswerContract extends RemoteProviderFixture {
    /** Tokens are reported while the answer is still being written. */
    @Test
    public void tellsEachPieceBeforeTheNextIsSent() {
        CountDownLatch heard = new CountDownLatch(1);
        server.next(
                exchange -> {
                    exchange.stream().send(dialect.opening(), dialect.text("one "));
                    heard.await();
                    exchange.send(dialect.text("two"), dialect.ending(false), dialect.closing());
                });
        RecordingSink sink = ask();
        Await.until("the first piece", PATIENCE, () -> sink.text().equals("one "));
        heard.countDown();
        ModelEvent.Finished end = finished(sink);
        assertEquals("one two", sink.text());
        assertEquals(new ModelEvent.Finished("stop", 7, 3, 2, true), end);
    }

    /** It does not matter where the network cuts. */
    @Test
    public void understandsAStreamOfSingleBytes() {
        server.next(
                exchange ->
                        exchange.stream()
                                .drip(
                                        ": a comment\r\n\r\n",
                                        dialect.opening(),
                                        dialect.thought("hm"),
                                        dialect.text("Grüße 🙂"),
                                        dialect.text("🚀"),
                                        dialect.ending(false),
                                        dialect.closing()));
        RecordingSink sink = ask();
        finished(sink);
        assertEquals("Grüße 🙂🚀", sink.text());
        assertEquals("hm", sink.thoughts());
    }

    /** Half a surrogate pair waits for its other half. */
    @Test
    public void joinsACodePointThatTheServerSplit() {
        server.next(exchange -> good(exchange, "a\\ud83d", "\\ude42b", "\\ud83d"));
        RecordingSink sink = ask();
        finished(sink);
        assertEquals("a🙂b\uFFFD", sink.text());
        for (ModelEvent event : sink.events()) {
            if (event instanceof ModelEvent.TextDelta delta) {
                String text = delta.text();
                assertFalse(Character.isHighSurrogate(text.charAt(text.length() - 1)), text);
            }
        }
    }

    /** Invalid UTF-8 is replaced and does not fail the turn. */
    @Test
    public void replacesWhatIsNoUtf8() {
        server.next(
                exchange -> {
                    exchange.stream().send(dialect.opening());
                    exchange.send(dialect.text("aXb").getBytes(StandardCharsets.UTF_8));
                    byte[] bad = dialect.text("c~d").getBytes(StandardCharsets.ISO_8859_1);
                    for (int i = 0; i < bad.length; i++) {
                        bad[i] = bad[i] == '~' ? (byte) 0xFF : bad[i];
                    }
                    exchange.send(bad).send(dialect.ending(false), dialect.closing());
                });
        RecordingSink sink = ask();
        finished(sink);
        assertEquals("aXbc\uFFFDd", sink.text());
    }

    /** A huge piece is reported in bounded pieces. */
    @Test
    public void cutsAHugePiece() {
        String huge = "x".repeat(1_000_000);
        server.next(exchange -> good(exchange, huge));
        RecordingSink sink = ask();
        finished(sink);
        assertEquals(huge.length(), sink.text().length());
        assertTrue(sink.events().size() > 50, "told in " + sink.events().size() + " events");
    }

    /** A server that does not stream is understood too. */
    @Test
    public void understandsAnAnswerThatIsNoStream() {
        server.next(
                exchange -> exchange.answer(200, "application/json", dialect.whole("all at once")));
        RecordingSink sink = ask();
        finished(sink);
        assertEquals("all at once", sink.text());
    }

    /** Calls come in the order of their indexes, however their pieces come. */
    @Test
    public void putsInterleavedCallsTogether() {
        server.next(
                exchange ->
                        exchange.stream()
                                .send(
                                        dialect.opening(),
                                        dialect.call(0, "id_a", "palyra_echo"),
                                        dialect.call(1, "id_b", "palyra_sleep"),
                                        dialect.input(1, "{\\\"millis\\\":"),
                                        dialect.input(0, "{\\\"text\\\":\\\"h"),
                                        dialect.input(1, "5}"),
                                        dialect.input(0, "i\\\"}"),
                                        dialect.ending(true),
                                        dialect.closing()));
        RecordingSink sink = ask(tool("palyra.echo"), tool("palyra.sleep"));
        assertEquals("tool_calls", finished(sink).finishReason());
        assertEquals(
                List.of(
                        new ToolProposal("", "palyra.echo", "{\"text\":\"hi\"}"),
                        new ToolProposal("", "palyra.sleep", "{\"millis\":5}")),
                sink.proposals());
    }

    /** What can be repaired in one way only is, the rest goes on as it was written. */
    @Test
    public void repairsACommaAndLeavesACutInputAlone() {
        server.next(
                exchange ->
                        exchange.stream()
                                .send(
                                        dialect.opening(),
                                        dialect.call(0, "id_a", "palyra_echo"),
                                        dialect.input(0, "{\\\"text\\\":\\\"hi\\\",}"),
                                        dialect.call(1, "id_b", "palyra_echo"),
                                        dialect.input(1, "{\\\"text\\\":\\\"h"),
                                        dialect.ending(true),
                                        dialect.closing()));
        RecordingSink sink = ask(tool("palyra.echo"));
        finished(sink);
        assertEquals("{\"text\":\"hi\"}", sink.proposals().get(0).inputJson());
        assertEquals("{\"text\":\"h", sink.proposals().get(1).inputJson());
    }

    /** Two of our names that would be one for the server stay two. */
    @Test
    public void keepsNamesOfToolsApart() {
        server.next(exchange -> good(exchange, "ok"));
        finished(ask(tool("a.b"), tool("a_b")));
        FaultServer.Heard heard = server.heard().get(0);
        assertTrue(heard.body().contains("\"a_b\""), heard.body());
        assertTrue(heard.body().matches("(?s).*\"a_b_[0-9a-f]{8}\".*"), heard.body());
        assertFalse(heard.body().contains("a.b"), heard.body());
    }

    /** The key comes from the vault, goes into its header alone, and is given back. */
    @Test
    public void sendsTheKeyAndGivesItBack() {
        server.next(exchange -> good(exchange, "ok"));
        finished(ask());
        FaultServer.Heard heard = server.heard().get(0);
        assertTrue(heard.headers().get(dialect.keyHeader()).endsWith(KEY), "the key's header");
        assertFalse(heard.body().contains(KEY));
        assertFalse(egress.sent().get(0).toString().contains(KEY));
        assertFalse(egress.sent().get(0).headers().toString().contains(KEY));
        assertEquals(0, keys.lent());
        assertEquals("vault.get", keys.asked().get(0).action());
        assertEquals("vault:global/test_key", keys.asked().get(0).resource());
        assertEquals("model", keys.asked().get(0).facts().get("purpose"));
    }

    /** Connections are made on behalf of the caller. */
    @Test
    public void connectsOnBehalfOfTheCaller() {
        server.next(exchange -> good(exchange, "ok"));
        finished(ask());
        var who = egress.sent().get(0).who();
        assertEquals("user:anna", who.principal());
        assertEquals("helper", who.agent());
        assertEquals("run-1", who.runId());
        assertEquals("model", who.purpose());
        assertEquals(0, egress.sent().get(0).limits().maxRedirects());
    }
}
