package palyra.connectors.discord.internal;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.OutboundMessage.Button;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressTunnels;
import palyra.shared.gate.Gate;
import palyra.testing.channel.FakeConnectorContext;
import palyra.testing.discord.Channel;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.User;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.http.LoopbackTunnels;
import palyra.testing.wait.Await;

/** A connector between a fake Discord and a fake gateway. */
final class Stage implements AutoCloseable {
    static final String PRINCIPAL = "system:connector"; // as the fake gateway says

    /** Where tests and {@code setup} keep the token. */
    private static final List<String> REFERENCES =
            List.of(Settings.TOKEN, "vault:channel:discord:main/token");

    static final Account.Waits QUICK =
            new Account.Waits(new GatewayMachine.Waits(10, 100, 2), new Pauser(5, 50), 5, 20, 1);

    final FakeDiscord discord = new FakeDiscord();
    final LoopbackEgress loopback = new LoopbackEgress();
    final LoopbackTunnels tunnels = new LoopbackTunnels();
    final Gate<EgressClient> egress =
            new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, 0);
    final Gate<EgressTunnels> sockets =
            new Gate<>("The egress tunnels", ErrorCode.TOOL_UNAVAILABLE, 0);
    final FakeConnectorContext context = FakeConnectorContext.empty(Map.of());
    volatile Consumer<InboundMessage> before = message -> {}; // it is taken
    volatile Consumer<InboundAction> pressing = action -> {};
    volatile Runnable refusing = () -> {};
    volatile String refusal = "";
    volatile String reason = ""; // why messages are ignored; empty for what their text says
    final User anna = discord.user("anna");
    final Channel dm = discord.dm(anna);
    DiscordSettings settings = Settings.of(discord, false, 1, Set.of());
    DiscordConnector connector;
    private int keys;

    Stage() {
        egress.add(loopback, Map.of());
        sockets.add(tunnels, Map.of());
        token(discord.token());
        context.onAccept(message -> before.accept(message));
        context.ignores(this::ignored);
        context.says(message -> ignored(message).isEmpty() ? "" : "Aside: " + message.text());
        context.asksReasonAt(data -> data.endsWith(":n"));
        context.refusesPresses(
                (data, sender) -> {
                    refusing.run();
                    return refusal;
                });
        context.onPress(
                action -> {
                    pressing.accept(action);
                    return "Approved by " + action.sender().name();
                });
        connector = made();
    }

    /** What is not for an agent is answered aside where that is possible. */
    private String ignored(InboundMessage message) {
        String why = reason;
        return why.isEmpty() && message.text().startsWith("/") ? "command" : why;
    }

    /** Returns the token that the vault has; null without one. */
    String token() {
        try {
            return context.secret(Settings.TOKEN);
        } catch (PalyraException e) {
            return null;
        }
    }

    void token(String token) {
        REFERENCES.forEach(reference -> context.putSecret(reference, token));
    }

    void withoutToken() {
        REFERENCES.forEach(context::removeSecret);
    }

    /** Returns the texts of what was taken. */
    List<String> texts() {
        return context.stored().stream().map(InboundMessage::text).toList();
    }

    private DiscordConnector made() {
        return new DiscordConnector(settings, egress, sockets, QUICK);
    }

    Stage with(boolean content, int shards, String... bots) {
        settings = Settings.of(discord, content, shards, Set.of(bots));
        connector = made();
        return this;
    }

    Stage uncompressed() {
        settings = Settings.uncompressed(discord.restBase());
        connector = made();
        return this;
    }

    Stage start() {
        connector.start(context);
        return this;
    }

    /** Starts and waits until it is ready. */
    Stage ready() {
        start();
        awaitState(State.READY);
        discord.awaitCommands(SlashCommands.all().size()); // or a stop cuts the requests
        return this;
    }

    /** Another connector, as after an update of the bundle. */
    Stage swap() {
        connector.stop();
        connector = made();
        return ready();
    }

    /** Another connector, as after a crash that lost what was not written since a position. */
    Stage crash(byte[] position) {
        connector.stop();
        context.setPositionBack(position);
        connector = made();
        return ready();
    }

    void awaitState(State state) {
        Await.until(
                state + ", not " + connector.status(), () -> connector.status().state() == state);
    }

    void awaitReason(String words) {
        Await.until(
                "'" + words + "', not " + connector.status(),
                () -> connector.status().reason().contains(words));
    }

    void awaitTexts(String... texts) {
        try {
            Await.until("messages " + List.of(texts), () -> texts().size() >= texts.length);
        } catch (AssertionError e) {
            throw new AssertionError(texts() + " " + connector.status(), e);
        }
        org.junit.jupiter.api.Assertions.assertEquals(List.of(texts), texts());
    }

    OutboundMessage text(Conversation where, String text, Button... buttons) {
        return message(where, "", "", text, buttons);
    }

    OutboundMessage message(
            Conversation where, String replyTo, String editOf, String text, Button... buttons) {
        return new OutboundMessage("key-" + ++keys, where, replyTo, editOf, text, List.of(buttons));
    }

    static Conversation direct(Channel channel) {
        return Conversation.direct(channel.id());
    }

    static Conversation room(Channel channel) {
        return Conversation.group(channel.id(), channel.name());
    }

    Delivery send(String text) {
        return connector.send(text(direct(dm), text));
    }

    @Override
    public void close() {
        connector.stop();
        context.close();
        discord.close();
        tunnels.close();
        loopback.close();
    }
}
