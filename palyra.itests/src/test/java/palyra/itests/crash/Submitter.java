package palyra.itests.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import palyra.itests.process.CommandClient;

/** Sends messages from several threads, and keeps what the gateway acknowledged. */
final class Submitter {
    private static final int THREADS = 8;

    private final Map<String, Message> sent = new ConcurrentHashMap<>();
    private final Map<String, Audit.Accepted> acknowledged = new ConcurrentHashMap<>();

    /** Returns every message that was ever sent, by key. */
    Map<String, Message> sent() {
        return sent;
    }

    /** Returns what was acknowledged, by key. */
    Map<String, Audit.Accepted> acknowledged() {
        return acknowledged;
    }

    /** Returns the messages that got no answer. */
    List<Message> unanswered() {
        return sent.values().stream()
                .filter(message -> !acknowledged.containsKey(message.key()))
                .toList();
    }

    /** A batch on its way. */
    final class Batch {
        private final CountDownLatch done = new CountDownLatch(THREADS);
        private final AtomicReference<AssertionError> wrong = new AtomicReference<>();
        private final ConcurrentLinkedQueue<Message> open;

        private Batch(List<Message> messages) {
            this.open = new ConcurrentLinkedQueue<>(messages);
        }

        /** Waits until every message was answered, or cannot be because the gateway is gone. */
        void await() throws InterruptedException {
            if (!done.await(5, TimeUnit.MINUTES)) {
                throw new AssertionError("messages are not answered within 5 minutes");
            }
            if (wrong.get() != null) {
                throw wrong.get();
            }
        }

        private void work(CommandClient client) {
            try {
                for (Message next = open.poll(); next != null; next = open.poll()) {
                    submit(client, next);
                }
            } catch (IOException e) {
                open.clear(); // the gateway died, as it was meant to
            } catch (AssertionError e) {
                wrong.compareAndSet(null, e);
                open.clear();
            } finally {
                done.countDown();
            }
        }
    }

    /** Begins to send; messages sent before are sent again and must be answered as before. */
    Batch send(CommandClient client, List<Message> messages) {
        messages.forEach(message -> sent.put(message.key(), message));
        Batch batch = new Batch(messages);
        for (int i = 0; i < THREADS; i++) {
            Thread.ofPlatform().name("submitter-" + i).start(() -> batch.work(client));
        }
        return batch;
    }

    private void submit(CommandClient client, Message message) throws IOException {
        CommandClient.Result result =
                client.runWith(
                        message.text(),
                        "ask",
                        "--json",
                        "--background",
                        "--agent",
                        "crash",
                        "--session",
                        message.session(),
                        "--dedupe",
                        message.key(),
                        "-");
        if (result.exit() == 69 || result.exit() == 130) {
            return; // it was going down and said so: not acknowledged
        }
        JsonNode answer = result.ok().json();
        Audit.Accepted now =
                new Audit.Accepted(
                        answer.path("messageId").asText(), answer.path("runId").asText());
        Audit.Accepted before = acknowledged.put(message.key(), now);
        if (before != null) {
            boolean same =
                    before.messageId().equals(now.messageId())
                            && (before.runId().isEmpty() || before.runId().equals(now.runId()))
                            && answer.path("duplicate").asBoolean();
            if (!same) {
                throw new AssertionError(
                        message.key() + " was " + before + " and is now " + answer);
            }
        }
    }
}
