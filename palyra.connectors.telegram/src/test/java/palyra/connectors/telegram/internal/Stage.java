package palyra.connectors.telegram.internal;

import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.OutboundMessage.Button;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.vault.SecretRef;
import palyra.shared.gate.Gate;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.telegram.FakeTelegram;
import palyra.testing.wait.Await;

/** A connector between a fake Telegram and a fake gateway. */
final class Stage implements AutoCloseable {
    static final Poller.Waits QUICK = new Poller.Waits(2, 20, 5, 5);
    static final long ANNA = 4_001;
    static final Conversation WITH_ANNA = Conversation.direct(Long.toString(ANNA));

    final FakeTelegram telegram = new FakeTelegram();
    final LoopbackEgress loopback = new LoopbackEgress();
    final Gate<EgressClient> egress =
            new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, 0);
    final FakeContext context = new FakeContext();
    final TelegramConnector connector;

    Stage() {
        egress.add(loopback, Map.of());
        connector = new TelegramConnector(settings(telegram.url()), egress, QUICK);
    }

    static TelegramSettings settings(String url) {
        return new TelegramSettings(
                new ConnectorId("telegram", "main"),
                SecretRef.parse("vault:global/telegram_main"),
                url,
                50,
                false);
    }

    Stage start() {
        connector.start(context);
        return this;
    }

    /** Starts and waits until the connector holds a request open. */
    Stage ready() {
        start();
        awaitState(State.READY);
        awaitPoll();
        return this;
    }

    void awaitPoll() {
        Await.until("an open poll", telegram::isPolled);
    }

    /** Ends the poll that is open, as another program that polls does. */
    void endPoll() {
        awaitPoll();
        telegram.pollElsewhere();
    }

    void awaitState(State state) {
        Await.until(state + ", not " + connector.status(), () -> is(state));
    }

    private boolean is(State state) {
        return connector.status().state() == state;
    }

    void awaitTexts(String... texts) {
        Await.until("messages " + List.of(texts), () -> context.texts().equals(List.of(texts)));
    }

    void awaitConfirmed() {
        Await.until("all to be confirmed", () -> telegram.unconfirmed().isEmpty());
    }

    static OutboundMessage text(String html, Button... buttons) {
        return to(WITH_ANNA, "", "", html, buttons);
    }

    static OutboundMessage to(
            Conversation where, String replyTo, String editOf, String html, Button... buttons) {
        return new OutboundMessage("k1", where, replyTo, editOf, html, List.of(buttons));
    }

    /** Returns the live threads of connectors. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("palyra-telegram-"))
                .toList();
    }

    @Override
    public void close() {
        connector.stop();
        context.closed = true;
        telegram.close();
        loopback.close();
    }
}
