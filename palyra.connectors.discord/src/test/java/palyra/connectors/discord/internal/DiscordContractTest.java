package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.api.ErrorCode;
import palyra.api.channel.Connector;
import palyra.api.channel.Conversation;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressTunnels;
import palyra.shared.gate.Gate;
import palyra.testing.channel.ConnectorContract;
import palyra.testing.channel.ConnectorFixture;
import palyra.testing.channel.SendFault;
import palyra.testing.discord.Channel;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.Faults;
import palyra.testing.discord.Message;
import palyra.testing.discord.Posted;
import palyra.testing.discord.Trouble;
import palyra.testing.discord.User;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.http.LoopbackTunnels;

/** The rules of every connector, through Discord's protocol. */
class DiscordContractTest extends ConnectorContract {
    private static final String REACT =
            "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me";
    private static final List<String> SENDING = List.of(FakeDiscord.POST, FakeDiscord.EDIT, REACT);

    @Override
    protected ConnectorFixture open() {
        return new Platform();
    }

    private static final class Platform implements ConnectorFixture {
        private final FakeDiscord discord = new FakeDiscord();
        private final LoopbackEgress loopback = new LoopbackEgress();
        private final LoopbackTunnels tunnels = new LoopbackTunnels();
        private final Gate<EgressClient> egress =
                new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, 0);
        private final Gate<EgressTunnels> sockets =
                new Gate<>("The egress tunnels", ErrorCode.TOOL_UNAVAILABLE, 0);
        private final Map<String, User> people = new ConcurrentHashMap<>();
        private final Map<String, Message> lastOf = new ConcurrentHashMap<>(); // by channel
        private final List<Runnable> early = new ArrayList<>(); // guarded by itself
        private final AtomicInteger stalled = new AtomicInteger();

        Platform() {
            egress.add(loopback, Map.of());
            sockets.add(tunnels, Map.of());
        }

        @Override
        public Connector connector() {
            return new FirstSession(
                    new DiscordConnector(
                            Settings.of(discord, false, 1, Set.of()), egress, sockets, Stage.QUICK),
                    this::began);
        }

        @Override
        public Map<String, String> secrets() {
            return Map.of(Settings.TOKEN, discord.token());
        }

        /**
         * Discord tells a bot of what is written once the bot has a session. What people write
         * before the very first one is kept back until then.
         */
        @Override
        public void write(String person, String text) {
            synchronized (early) {
                if (discord.gateway().readies() == 0) {
                    early.add(() -> say(person, text));
                } else {
                    say(person, text);
                }
            }
        }

        private void say(String person, String text) {
            Channel channel = discord.dm(person(person));
            lastOf.put(channel.id(), discord.say(person(person), channel, text));
        }

        private User person(String name) {
            return people.computeIfAbsent(name, discord::user);
        }

        private void began() {
            synchronized (early) {
                early.forEach(Runnable::run);
                early.clear();
            }
        }

        /** Discord takes no confirmation: a client says where it goes on. */
        @Override
        public boolean isConfirmed(String text) {
            return false;
        }

        private static Channel channel(Conversation conversation) {
            return new Channel(conversation.id(), "", "");
        }

        @Override
        public List<String> posted(Conversation conversation) {
            return discord.posted(channel(conversation)).stream().map(Posted::content).toList();
        }

        @Override
        public void breakConnection() {
            discord.goDown();
            discord.gateway().befall(Trouble.DROP);
        }

        @Override
        public void mendConnection() {
            discord.comeBack();
        }

        @Override
        public Set<SendFault> faults() {
            return EnumSet.allOf(SendFault.class);
        }

        @Override
        public void fail(SendFault fault) {
            SENDING.forEach(call -> discord.failAll(call, fault(fault)));
        }

        private Fault fault(SendFault fault) {
            return switch (fault) {
                case LOST_ANSWER -> Fault.droppedAfter();
                case LOST_REQUEST -> Fault.droppedBefore();
                case RATE_LIMITED -> Faults.rateLimited(100);
                case REFUSED ->
                        Fault.answering(
                                403,
                                "{\"message\":\"Cannot send messages to this user\","
                                        + "\"code\":50007}");
                case STALLED ->
                        (exchange, act) -> {
                            stalled.incrementAndGet();
                            try {
                                exchange.stall();
                            } finally {
                                stalled.decrementAndGet();
                            }
                        };
            };
        }

        @Override
        public void recover() {
            SENDING.forEach(discord::recover);
        }

        @Override
        public boolean isStalled() {
            return stalled.get() > 0;
        }

        @Override
        public List<String> buttons(Conversation conversation) {
            List<String> data = new ArrayList<>();
            for (JsonNode row : last(conversation).components()) {
                row.path("components").forEach(one -> data.add(one.path("custom_id").asText()));
            }
            return data;
        }

        private Posted last(Conversation conversation) {
            return discord.posted(channel(conversation)).getLast();
        }

        @Override
        public void press(Conversation conversation, String data) {
            User person =
                    people.values().stream()
                            .filter(one -> discord.dm(one).id().equals(conversation.id()))
                            .findFirst()
                            .orElseThrow();
            discord.press(person, last(conversation).message(), data);
        }

        @Override
        public List<String> reactions(Conversation conversation) {
            return discord.reactions(lastOf.get(conversation.id()));
        }

        @Override
        public int typing(Conversation conversation) {
            return discord.typing(channel(conversation));
        }

        @Override
        public void attach(String person, String text, String name, byte[] content) {
            discord.say(person(person), discord.dm(person(person)), text, Map.of(name, content));
        }

        @Override
        public Map<String, byte[]> files(Conversation conversation) {
            Posted last = last(conversation);
            Map<String, byte[]> files = new HashMap<>();
            last.attachments().forEach(name -> files.put(name, discord.file(last.message(), name)));
            return files;
        }

        @Override
        public boolean isThreadOfPlatform(String name) {
            return name.startsWith("fault-server")
                    || name.startsWith("HttpClient-")
                    || name.startsWith("fake-discord");
        }

        @Override
        public void close() {
            try {
                discord.close();
            } finally {
                tunnels.close();
                loopback.close();
            }
        }
    }
}
