package palyra.console.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.run.Runs;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.console.internal.fakes.FakeExchange;
import palyra.console.internal.fakes.TestConsole;

/** A message that may have been accepted before its page was refused stays the same message. */
class RefusedFormTest {
    private static final String KEY = "01J0000000000000000000000A";
    private static final String SESSION = "01J0000000000000000000000B";
    private static final String MESSAGE = "01J0000000000000000000000C";
    private static final String RUN = "01J0000000000000000000000D";

    private boolean away = true;
    private final TestConsole console =
            new TestConsole(
                    (seams, router) -> {
                        seams.runs().add(runs(), Map.of());
                        new ChatPages(seams).routes(router);
                        new SessionPages(seams).routes(router);
                    });

    private Runs runs() {
        SessionView session =
                new SessionView(SESSION, "k", "", "user:alice", "", "", "", 1, 1, 0, "");
        return (Runs)
                Proxy.newProxyInstance(
                        Runs.class.getClassLoader(),
                        new Class<?>[] {Runs.class},
                        (proxy, called, arguments) ->
                                switch (called.getName()) {
                                    case "session" -> Optional.of(session);
                                    case "runs" -> List.of();
                                    case "submission" ->
                                            new Submission(MESSAGE, RUN, SESSION, false);
                                    case "submit", "resolveSession" -> submitted();
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    case "toString" -> "runs";
                                    default -> throw new AssertionError(called.getName());
                                });
    }

    private Submission submitted() {
        if (away) {
            throw new PalyraException(ErrorCode.DENIED, "It is away.");
        }
        return new Submission(MESSAGE, RUN, SESSION, false);
    }

    @Test
    void aRefusedFormKeepsItsKeyAndItsText() {
        for (String address :
                List.of("/console/chat", "/console/sessions/" + SESSION + "/messages")) {
            FakeExchange refused = console.post(address, "key", KEY, "text", "hello there");
            assertEquals(422, refused.status, refused.body());
            assertTrue(refused.body().contains("It is away."), refused.body());
            assertTrue(refused.body().contains("name=\"key\" value=\"" + KEY + "\""));
            assertTrue(refused.body().contains(">hello there</textarea>"), refused.body());
        }
    }

    @Test
    void whatIsNoKeyIsReplaced() {
        FakeExchange refused = console.post("/console/chat", "key", "<x>", "text", "hello");
        assertEquals(422, refused.status);
        assertTrue(
                refused.body().matches("(?s).*name=\"key\" value=\"[0-9A-Z]{26}\".*"),
                refused.body());
    }

    /** By the key a tab knows that the draft that it keeps is the one that was sent. */
    @Test
    void thePageAfterAMessageNamesTheKeyThatItWasSentWith() {
        away = false;
        String messages = "/console/sessions/" + SESSION + "/messages";
        FakeExchange sent = console.post(messages, "key", KEY, "text", "hello");
        assertEquals(303, sent.status, sent.body());
        assertEquals(
                "/console/sessions/" + SESSION + "?sent=" + MESSAGE + "&key=" + KEY,
                sent.answered.get("Location"));
        FakeExchange page = FakeExchange.get("/console/sessions/" + SESSION).field("key", KEY);
        assertTrue(
                console.served(page.field("sent", MESSAGE))
                        .body()
                        .contains("data-sent-key=\"" + KEY + "\""));
        FakeExchange unsent = FakeExchange.get("/console/sessions/" + SESSION).field("key", KEY);
        assertFalse(console.served(unsent).body().contains("data-sent-key=\"" + KEY));
    }
}
