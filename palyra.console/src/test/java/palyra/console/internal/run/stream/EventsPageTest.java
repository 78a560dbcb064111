package palyra.console.internal.run.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.run.RunEvent;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.testing.wait.Await;

/** Streams over a real server, with attempts to get more of them than is due. */
class EventsPageTest {
    private static final String RUN = "01J0000000000000000000000A";
    private static final String NEXT = "01J0000000000000000000000B";
    private static final String FOREIGN = "01J0000000000000000000000C";
    private static final String SESSION = "01J0000000000000000000000D";
    private static final String OTHER_SESSION = "01J0000000000000000000000E";
    private static final String ALICE = "user:alice";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private EventServer server;

    @BeforeEach
    void start() throws Exception {
        server = new EventServer();
        server.runs.add(RUN, SESSION, ALICE);
        server.runs.add(FOREIGN, OTHER_SESSION, "user:mallory");
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private static RunEvent recorded(long seq) {
        return new RunEvent.Recorded(seq, seq, new TapeEvent.Unknown("t", 1));
    }

    private static RunEvent started(long seq, int turn, int attempt) {
        return new RunEvent.Recorded(
                seq,
                seq,
                new TapeEvent.TurnStarted(turn, attempt, "a", "p", "m", "", "", "", 0, 0));
    }

    private static RunEvent text(int turn, int attempt, boolean thought, long at, String text) {
        return new RunEvent.Text(turn, attempt, thought, at, text);
    }

    /** Records, thoughts, text, an attempt that is dropped, and the end. */
    private static RunEvent[] story() {
        return new RunEvent[] {
            recorded(1),
            started(2, 1, 1),
            text(1, 1, true, 0, "hm"),
            text(1, 1, false, 0, "one "),
            text(1, 1, false, 4, "two"),
            new RunEvent.Dropped(1, "the line broke"),
            started(3, 1, 2),
            text(1, 2, false, 0, "one "),
            text(1, 2, false, 4, "three"),
            recorded(4),
            new RunEvent.Ended(RunState.SUCCEEDED, "")
        };
    }

    private static List<String> said(List<EventReader.Event> events) {
        return events.stream().map(event -> event.name() + " " + event.data()).toList();
    }

    @Test
    void aBrowserThatComesBackGetsWhatItLacksAndNothingTwice() throws Exception {
        server.runs.tell(RUN, story());
        String alice = server.signIn("viewer");
        List<String> whole;
        try (EventReader stream = server.open(alice, "?run=" + RUN + "&seq=0")) {
            whole = said(stream.awaitRuns(story().length).ofRuns());
        }
        assertEquals(story().length, whole.size());
        for (int cut = 1; cut < whole.size(); cut++) {
            List<EventReader.Event> first;
            try (EventReader stream = server.open(alice, "?run=" + RUN + "&seq=0")) {
                first = stream.awaitRuns(cut).ofRuns().subList(0, cut);
            }
            String last = first.getLast().id();
            List<String> both = new ArrayList<>(said(first));
            try (EventReader stream =
                    server.open(alice, "?run=" + RUN + "&seq=0", "Last-Event-ID", last)) {
                both.addAll(said(stream.awaitRuns(whole.size() - cut).ofRuns()));
            }
            assertEquals(whole, both, "cut after " + last);
        }
    }

    @Test
    void aPageThatShowsTheFirstRecordsIsToldTheRest() throws Exception {
        server.runs.tell(RUN, story());
        try (EventReader stream = server.open(server.signIn("viewer"), "?run=" + RUN + "&seq=3")) {
            stream.awaitRuns(4);
            assertTrue(
                    said(stream.ofRuns()).get(0).contains("\"text\":\"one \""), stream.toString());
            assertEquals(4, stream.ofRuns().size());
        }
    }

    @Test
    void aPositionBeyondTheEndBeginsAtTheEndAndThePageIsToldToLoadAgain() throws Exception {
        server.runs.tell(RUN, recorded(1), recorded(2));
        String alice = server.signIn("viewer");
        for (String[] ahead :
                new String[][] {{"&seq=9"}, {"&seq=0", "Last-Event-ID", "run:" + RUN + ":9"}}) {
            String[] headers = Arrays.copyOfRange(ahead, 1, ahead.length);
            long next = server.runs.recorded(RUN) + 1;
            try (EventReader stream = server.open(alice, "?run=" + RUN + ahead[0], headers)) {
                stream.awaitName("run");
                server.runs.tell(RUN, recorded(next));
                assertEquals("run:" + RUN + ":" + next, stream.awaitRuns(1).ofRuns().get(0).id());
            }
        }
    }

    @Test
    void aFrontThatIsReplacedAgainAndAgainLosesAndRepeatsNothing() throws Exception {
        server.runs.breakAfter(1);
        server.runs.tell(RUN, story());
        try (EventReader stream = server.open(server.signIn("viewer"), "?run=" + RUN + "&seq=0")) {
            stream.awaitRuns(3);
            server.replaceFront();
            stream.awaitRuns(story().length);
            assertEquals(story().length, stream.ofRuns().size(), said(stream.ofRuns()).toString());
        }
    }

    @Test
    void aSessionGoesOnWithItsNextRunAlsoForABrowserThatComesBack() throws Exception {
        server.runs.tell(RUN, recorded(1), new RunEvent.Ended(RunState.SUCCEEDED, ""));
        String alice = server.signIn("viewer");
        String query = "?run=" + RUN + "&seq=0&session=" + SESSION;
        String last;
        try (EventReader stream = server.open(alice, query)) {
            stream.awaitRuns(2);
            server.runs.add(NEXT, SESSION, ALICE);
            server.runs.tell(NEXT, recorded(1), recorded(2));
            stream.awaitName("run-next").awaitRuns(5);
            last = stream.ofRuns().getLast().id();
            assertEquals("run:" + NEXT + ":2", last);
        }
        server.runs.tell(NEXT, recorded(3));
        try (EventReader stream = server.open(alice, query, "Last-Event-ID", last)) {
            assertEquals("run:" + NEXT + ":3", stream.awaitRuns(1).ofRuns().get(0).id());
        }
    }

    @Test
    void aRunOfAnotherPrincipalIsNotThereWhateverTheRequestCallsIt() throws Exception {
        server.runs.tell(FOREIGN, recorded(1), text(1, 1, false, 0, "a secret"));
        String alice = server.signIn("viewer", "approver");
        assertRefused(404, alice, "?run=" + FOREIGN + "&seq=0");
        assertRefused(404, alice, "?run=" + FOREIGN + "&session=" + OTHER_SESSION);
        String theirs = "run:" + FOREIGN + ":0";
        assertRefused(404, alice, "?run=" + RUN + "&session=" + SESSION, "Last-Event-ID", theirs);
        server.runs.tell(RUN, recorded(1));
        try (EventReader stream = server.open(alice, "?run=" + RUN, "Last-Event-ID", theirs)) {
            assertEquals("run:" + RUN + ":1", stream.awaitRuns(1).ofRuns().get(0).id());
        }
    }

    @Test
    void aPositionInARunOfAnotherSessionIsRefused() throws Exception {
        server.runs.add(NEXT, OTHER_SESSION, ALICE);
        assertRefused(
                404,
                server.signIn("viewer"),
                "?run=" + RUN + "&session=" + SESSION,
                "Last-Event-ID",
                "run:" + NEXT + ":0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?run=..%2F..%2Fetc",
                "?run=" + RUN + "&seq=-1",
                "?run=" + RUN + "&seq=99999999999999999999",
                "?run=" + RUN + "&session=x%0Ay"
            })
    void whatIsNoIdAndNoNumberIsRefused(String query) throws Exception {
        assertRefused(400, server.signIn("operator"), query);
    }

    @Test
    void aStreamEndsWithItsSession() throws Exception {
        String alice = server.signIn("viewer");
        try (EventReader stream = server.open(alice, "?run=" + RUN)) {
            stream.awaitName("stream-open");
            server.accounts.sessions.remove(alice);
            stream.awaitEnd();
            assertEquals("stream-end", stream.names().getLast());
        }
        awaitNoStream();
        HttpResponse<String> again = server.refused(alice, "?run=" + RUN);
        assertEquals(303, again.statusCode());
    }

    @Test
    void aPersonHasTwentyStreamsAndNoMore() throws Exception {
        String alice = server.signIn("viewer");
        List<EventReader> open = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            open.add(server.open(alice, "").awaitName("stream-open"));
        }
        assertRefused(429, alice, "");
        for (EventReader stream : open) {
            stream.close();
        }
        awaitNoStream();
        server.open(alice, "").awaitName("stream-open").close();
    }

    /** The run goes on all the same, and another tab of the person has all of it. */
    @Test
    void aBrowserThatDoesNotReadIsBoundedInBytesAndThenEnded() throws Exception {
        String alice = server.signIn("viewer");
        int pieces = 200;
        String piece = "x".repeat(32 * 1024);
        try (Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(8_192);
            deaf.connect(new InetSocketAddress("127.0.0.1", server.port()));
            OutputStream out = deaf.getOutputStream();
            out.write(
                    ("GET /console/events?run="
                                    + RUN
                                    + " HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: __Host-palyra="
                                    + alice
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            Await.until("the stream to follow", PATIENCE, () -> server.runs.followed() == 1);
            for (int i = 0; i < pieces; i++) {
                server.runs.tell(RUN, text(1, 1, false, (long) i * piece.length(), piece));
            }
            Await.until("the deaf stream to be ended", PATIENCE, () -> server.events.count() == 0);
            long taken = (long) server.runs.taken() * piece.length();
            assertTrue(taken < 2 << 20, taken + " bytes were taken for a browser that reads none");
            InputStream in = deaf.getInputStream();
            assertFalse(in.readAllBytes().length > 2 << 20);
        } catch (SocketException e) {
            // the server reset the connection, with what was never read
        }
        Await.until("its following to end", PATIENCE, () -> server.runs.followed() == 0);
        try (EventReader stream = server.open(alice, "?run=" + RUN)) {
            assertEquals(pieces, stream.awaitRuns(pieces).ofRuns().size());
        }
    }

    @Test
    void streamsEndWhenTheConsoleGoesAndNoneBeginsThen() throws Exception {
        String alice = server.signIn("viewer");
        try (EventReader stream = server.open(alice, "").awaitName("stream-open")) {
            server.events.close();
            stream.awaitEnd();
        }
        assertRefused(503, alice, "");
    }

    private void awaitNoStream() {
        Await.until("every stream to end", PATIENCE, () -> server.events.count() == 0);
    }

    private void assertRefused(int status, String secret, String query, String... headers)
            throws Exception {
        HttpResponse<String> answer = server.refused(secret, query, headers);
        assertEquals(status, answer.statusCode(), answer.body());
        assertFalse(answer.body().contains("a secret"), answer.body());
    }
}
