package palyra.testing.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;
import palyra.testing.wait.Await;

/** One connector, its platform and its context, during one test. */
final class ConnectorStage implements AutoCloseable {
    private static final long PROMPT_SECONDS = 5;
    private static final long SEND_SECONDS = 30;

    private final ConnectorFixture fixture;
    private final Duration patience;
    private final AtomicInteger keys = new AtomicInteger();
    private Connector connector;
    private FakeConnectorContext context;
    private boolean started;

    ConnectorStage(ConnectorFixture fixture, Duration patience) {
        this.fixture = fixture;
        this.patience = patience;
        this.connector = fixture.connector();
        this.context = FakeConnectorContext.empty(fixture.secrets());
    }

    ConnectorFixture fixture() {
        return fixture;
    }

    Connector connector() {
        return connector;
    }

    FakeConnectorContext context() {
        return context;
    }

    /** Starts the connector, which returns at once. */
    void start() {
        started = true;
        within(
                PROMPT_SECONDS,
                "start()",
                () -> {
                    connector.start(context);
                    return null;
                });
    }

    /** Starts it and waits until it is ready. */
    void startReady() {
        start();
        awaitState(State.READY);
    }

    /** Stops it, as the gateway does; from then on it calls nothing. */
    void stop() {
        started = false;
        within(
                PROMPT_SECONDS,
                "stop()",
                () -> {
                    connector.stop();
                    return null;
                });
        assertEquals(0, context.underWay(), "stop() returned and a thread calls the context still");
        context.close();
    }

    /** Stops it and starts another one, which knows what the first one kept. */
    void nextLife() {
        FakeConnectorContext before = context;
        prepareNextLife();
        startReady();
        assertEquals(0, before.callsAfterClose(), "the connector called after stop() returned");
    }

    /** Stops it, if it was started, and makes another one, which waits for its start. */
    void prepareNextLife() {
        if (started) {
            stop();
        }
        context = context.nextLife();
        connector = fixture.connector();
    }

    void awaitState(State state) {
        until(
                "the connector to be " + state + "; it is " + connector.status(),
                () -> status().state() == state);
    }

    /** Returns the status, which says why when something is wrong, and nothing when not. */
    ConnectorStatus status() {
        ConnectorStatus status = connector.status();
        if (status.state() == State.READY) {
            assertEquals("", status.reason(), "a connector that is READY gives a reason");
        }
        return status;
    }

    void until(String what, BooleanSupplier condition) {
        Await.until(what, patience, condition);
    }

    void awaitStored(int count) {
        try {
            until(count + " messages to be taken in", () -> context.stored().size() >= count);
        } catch (AssertionError e) {
            fail(
                    e.getMessage()
                            + "; taken in: "
                            + texts(context.stored())
                            + ", "
                            + connector.status());
        }
    }

    static List<String> texts(List<InboundMessage> messages) {
        return messages.stream().map(InboundMessage::text).toList();
    }

    /** Returns the texts of a conversation that were taken in, in this order. */
    List<String> taken(Conversation conversation) {
        return texts(
                context.stored().stream()
                        .filter(one -> one.conversation().id().equals(conversation.id()))
                        .toList());
    }

    /** Lets a person write, and returns their conversation. */
    Conversation meet(String person) {
        String hello = "hello from " + person;
        fixture.write(person, hello);
        return Await.value("'" + hello + "' to come in", patience, () -> conversation(hello));
    }

    private Optional<Conversation> conversation(String text) {
        return context.stored().stream()
                .filter(one -> one.text().equals(text))
                .map(InboundMessage::conversation)
                .findFirst();
    }

    /** Returns a message of plain words, in the platform's form. */
    OutboundMessage message(Conversation conversation, String words) {
        return message(conversation, words, "", List.of());
    }

    OutboundMessage message(
            Conversation conversation,
            String words,
            String editOf,
            List<OutboundMessage.Button> buttons) {
        List<String> rendered = connector.render(words);
        assertEquals(1, rendered.size(), "'" + words + "' became " + rendered);
        return rendered(conversation, rendered.get(0), editOf, buttons);
    }

    /** Returns a message of a text that was rendered. */
    OutboundMessage rendered(
            Conversation conversation,
            String text,
            String editOf,
            List<OutboundMessage.Button> buttons) {
        String key = "key-" + keys.incrementAndGet();
        return new OutboundMessage(key, conversation, "", editOf, text, buttons);
    }

    Delivery send(OutboundMessage message) {
        return within(SEND_SECONDS, "send()", () -> connector.send(message));
    }

    /** Sends words that arrive; returns the platform's id of the message. */
    String deliver(Conversation conversation, String words) {
        return deliver(message(conversation, words));
    }

    String deliver(OutboundMessage message) {
        Delivery delivery = send(message);
        return delivery instanceof Delivery.Delivered delivered
                ? delivered.messageId()
                : fail("'" + message.text() + "' was not delivered: " + delivery);
    }

    /** Returns the threads that live, but for those of the platform. */
    Map<Long, String> threads() {
        return LiveThreads.now(
                name -> name.startsWith("contract-") || fixture.isThreadOfPlatform(name));
    }

    long count(Conversation conversation, String words) {
        return fixture.posted(conversation).stream().filter(words::equals).count();
    }

    /** Calls something on a thread of its own, and fails when it does not return in time. */
    <T> T within(long seconds, String what, Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "contract-" + what);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            String where = List.of(thread.getStackTrace()).toString();
            throw new AssertionError(what + " did not return in " + seconds + " s: " + where, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted in " + what, e);
        } catch (ExecutionException e) {
            throw new AssertionError(what + " failed: " + e.getCause(), e.getCause());
        }
    }

    /** What held in every test. */
    void check() {
        assertEquals(List.of(), new ArrayList<>(context.violations()));
        assertFalse(started && connector.status().state() == State.STOPPED, "it stopped by itself");
    }

    @Override
    public void close() throws Exception {
        try {
            context.hang(false);
            if (started) {
                connector.stop();
            }
        } finally {
            context.close();
            fixture.close();
        }
    }
}
