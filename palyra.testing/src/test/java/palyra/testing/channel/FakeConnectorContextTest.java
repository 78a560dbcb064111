package palyra.testing.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Acceptance;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;

/** What a connector of a platform with commands, buttons and forms needs of the gateway. */
class FakeConnectorContextTest {
    private static final Sender ANNA = new Sender("1", "anna", false, true);
    private static final Conversation ROOM = Conversation.group("room", "room");
    private static final InboundAction PRESS = new InboundAction("card:n", ANNA, ROOM);

    private final FakeConnectorContext context = FakeConnectorContext.empty(Map.of());

    private static InboundMessage message(String text) {
        return InboundMessage.written("m-" + text, ANNA, ROOM, text, true, 1_000);
    }

    @Test
    void whatTheGatewayAnswersAsideIsNoMessageAndSaidAgain() {
        context.ignores(message -> message.text().startsWith("/") ? "command" : "");
        context.says(message -> message.text().startsWith("/") ? "You said " + message.text() : "");
        for (int i = 0; i < 2; i++) {
            Acceptance help = context.acceptAside(message("/help"), new byte[] {1});
            assertEquals(Acceptance.Outcome.IGNORED, help.outcome());
            assertEquals("command", help.reason());
            assertEquals("You said /help", help.said());
        }
        Acceptance question = context.acceptAside(message("hello"), new byte[] {2});
        assertEquals(Acceptance.Outcome.STORED, question.outcome());
        assertEquals("", question.said());
        assertEquals("", context.accept(message("/stop")).said(), "that is a message");
        assertEquals(
                List.of("/help", "/help", "hello"),
                context.asides().stream().map(InboundMessage::text).toList());
        assertEquals(2, context.keptPosition().orElseThrow()[0]);
    }

    @Test
    void whatAnOperatorOrACrashChangesIsSeenByTheNextLifeToo() {
        context.putSecret("vault:global/token", "first");
        context.putSecret("vault:global/token", "second");
        context.keepPosition(new byte[] {1});
        context.keepPosition(new byte[] {2});
        context.setPositionBack(new byte[] {1});
        FakeConnectorContext next = context.nextLife();
        assertEquals("second", next.secret("vault:global/token"));
        assertEquals(1, next.position().orElseThrow()[0]);
        next.removeSecret("vault:global/token");
        next.takePositionAway(true);
        assertThrows(PalyraException.class, () -> next.secret("vault:global/token"));
        assertThrows(PalyraException.class, next::position);
        next.takePositionAway(false);
        assertTrue(next.position().isPresent());
    }

    @Test
    void aReasonIsAskedForWhereTheTestSaysSoAndKept() {
        assertFalse(context.asksReason("card:n"));
        context.asksReasonAt(data -> data.endsWith(":n"));
        assertTrue(context.asksReason("card:n"));
        assertFalse(context.asksReason("card:y"));
        assertEquals("Done.", context.press(PRESS, "not on a Friday"));
        assertEquals("Done.", context.press(PRESS));
        assertEquals(List.of("not on a Friday", ""), context.reasons());
        assertEquals(List.of(PRESS, PRESS), context.pressed());
    }

    @Test
    void aPresserIsRefusedBeforeAndWhatAPressDoesIsTheTests() {
        assertEquals("", context.refusal("card:n", ANNA));
        context.refusesPresses((data, sender) -> sender.name() + " may not press " + data);
        assertEquals("anna may not press card:n", context.refusal("card:n", ANNA));
        context.onPress(
                action -> {
                    throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "It is away.");
                });
        assertThrows(PalyraException.class, () -> context.press(PRESS, "no"));
        assertEquals(List.of("no"), context.reasons(), "it was passed on");
        context.close();
        assertThrows(PalyraException.class, () -> context.refusal("card:n", ANNA));
        assertThrows(PalyraException.class, () -> context.asksReason("card:n"));
        assertThrows(PalyraException.class, () -> context.acceptAside(message("x"), new byte[0]));
        assertEquals(3, context.callsAfterClose());
    }
}
