package palyra.connectors.telegram.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.api.ErrorCode;
import palyra.api.channel.Connector;
import palyra.api.channel.Conversation;
import palyra.api.core.egress.EgressClient;
import palyra.shared.gate.Gate;
import palyra.testing.channel.ConnectorContract;
import palyra.testing.channel.ConnectorFixture;
import palyra.testing.channel.SendFault;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.telegram.FakeTelegram;

/** The rules of every connector, through Telegram's protocol. */
class TelegramContractTest extends ConnectorContract {
    private static final Poller.Waits WAITS = new Poller.Waits(10, 100, 20, 20);
    private static final List<String> SENDING =
            List.of("sendMessage", "editMessageText", "setMessageReaction");

    @Override
    protected ConnectorFixture open() {
        return new Platform();
    }

    private static final class Platform implements ConnectorFixture {
        private final FakeTelegram telegram = new FakeTelegram();
        private final LoopbackEgress loopback = new LoopbackEgress();
        private final Gate<EgressClient> egress =
                new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, 0);
        private final Map<String, Long> people = new ConcurrentHashMap<>();
        private final Map<String, Long> updates = new ConcurrentHashMap<>();
        private final AtomicInteger stalled = new AtomicInteger();
        private final AtomicInteger presses = new AtomicInteger();

        Platform() {
            egress.add(loopback, Map.of());
        }

        @Override
        public Connector connector() {
            return new TelegramConnector(Stage.settings(telegram.url()), egress, WAITS);
        }

        @Override
        public Map<String, String> secrets() {
            return Map.of(Stage.settings(telegram.url()).token().toString(), FakeTelegram.TOKEN);
        }

        @Override
        public void write(String person, String text) {
            long id = people.computeIfAbsent(person, unused -> Stage.ANNA + people.size());
            updates.put(text, telegram.say(id, text));
        }

        @Override
        public boolean isConfirmed(String text) {
            Long update = updates.get(text);
            return update != null && !telegram.unconfirmed().contains(update);
        }

        private List<FakeTelegram.Sent> sent(Conversation conversation) {
            return telegram.sent().stream()
                    .filter(sent -> Long.toString(sent.chat()).equals(conversation.id()))
                    .toList();
        }

        @Override
        public List<String> posted(Conversation conversation) {
            return sent(conversation).stream().map(FakeTelegram.Sent::text).toList();
        }

        @Override
        public void breakConnection() {
            telegram.cut();
        }

        @Override
        public void mendConnection() {
            telegram.comeBack();
        }

        @Override
        public Set<SendFault> faults() {
            return EnumSet.allOf(SendFault.class);
        }

        @Override
        public void fail(SendFault fault) {
            SENDING.forEach(method -> telegram.failAll(method, fault(fault)));
        }

        private Fault fault(SendFault fault) {
            return switch (fault) {
                case LOST_ANSWER -> Fault.droppedAfter();
                case LOST_REQUEST -> Fault.droppedBefore();
                case RATE_LIMITED ->
                        Fault.answering(
                                429,
                                "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many"
                                        + " Requests\",\"parameters\":{\"retry_after\":1}}");
                case REFUSED ->
                        Fault.answering(
                                403,
                                "{\"ok\":false,\"error_code\":403,\"description\":\"Forbidden: bot"
                                        + " was blocked by the user\"}");
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
            SENDING.forEach(telegram::recover);
        }

        @Override
        public boolean isStalled() {
            return stalled.get() > 0;
        }

        @Override
        public List<String> buttons(Conversation conversation) {
            List<String> data = new ArrayList<>();
            JsonNode keyboard =
                    sent(conversation)
                            .getLast()
                            .call()
                            .path("reply_markup")
                            .path("inline_keyboard");
            keyboard.forEach(
                    row -> row.forEach(button -> data.add(button.path("callback_data").asText())));
            return data;
        }

        @Override
        public void press(Conversation conversation, String data) {
            telegram.press(
                    "q" + presses.incrementAndGet(),
                    Long.parseLong(conversation.id()),
                    sent(conversation).getLast(),
                    data);
        }

        @Override
        public List<String> reactions(Conversation conversation) {
            return telegram.reactions().entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(conversation.id() + "/"))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        @Override
        public int typing(Conversation conversation) {
            return (int)
                    telegram.typing().stream()
                            .filter(call -> call.path("chat_id").asText().equals(conversation.id()))
                            .count();
        }

        @Override
        public void close() {
            telegram.close();
            loopback.close();
        }
    }
}
