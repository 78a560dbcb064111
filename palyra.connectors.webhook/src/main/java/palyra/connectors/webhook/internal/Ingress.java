package palyra.connectors.webhook.internal;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.MessageOrigin;

/**
 * Verifies requests and hands their messages in. A sender hears that a message was taken only when
 * the gateway has it. Thread-safe.
 */
final class Ingress {
    private static final Logger LOG = LoggerFactory.getLogger(Ingress.class);
    private static final long REPLAY_BYTES = 1 << 20;
    private static final long TURN_MILLIS = 5_000;
    private static final int RETRY_SECONDS = 5;

    private final WebhookSettings settings;
    private final ConnectorContext context;
    private final SigningKeys keys;
    private final WebhookStatus status;
    private final ReplayCache replays;
    private final List<ReentrantLock> turns =
            Stream.generate(ReentrantLock::new).limit(64).toList(); // by conversation
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
    private final Set<Thread> inside = new HashSet<>(); // guarded by itself
    private volatile boolean ended;

    Ingress(
            WebhookSettings settings,
            ConnectorContext context,
            SigningKeys keys,
            WebhookStatus status) {
        this.settings = settings;
        this.context = context;
        this.keys = keys;
        this.status = status;
        // A timestamp from the future is good for two windows.
        replays =
                new ReplayCache(
                        REPLAY_BYTES, TimeUnit.SECONDS.toMillis(2L * settings.windowSeconds()));
    }

    /** Returns the answer to a request of which nothing was taken, and which may come again. */
    static Answer unavailable() {
        return Answer.later(
                503, "unavailable", "No message can be taken now; send it again.", RETRY_SECONDS);
    }

    /**
     * Refuses what comes from now on, and interrupts what was begun and is not over in half of the
     * time; returns whether all has ended.
     */
    boolean end(long millis) throws InterruptedException {
        ended = true;
        if (isOver(millis / 2)) {
            return true;
        }
        synchronized (inside) {
            inside.forEach(Thread::interrupt);
        }
        return isOver(millis / 2);
    }

    private boolean isOver(long millis) throws InterruptedException {
        if (!life.writeLock().tryLock(millis, TimeUnit.MILLISECONDS)) {
            return false;
        }
        life.writeLock().unlock();
        return true;
    }

    Answer take(SignedHead head, byte[] body) {
        if (!life.readLock().tryLock()) {
            return unavailable();
        }
        try {
            return ended ? unavailable() : interruptibly(head, body);
        } catch (SecretException e) {
            return unavailable(); // the status says why
        } catch (PalyraException e) {
            LOG.info("{}: a message is not taken: {}", settings.id(), e.getMessage());
            return unavailable();
        } finally {
            life.readLock().unlock();
        }
    }

    private Answer interruptibly(SignedHead head, byte[] body) {
        Thread self = Thread.currentThread();
        synchronized (inside) {
            inside.add(self);
        }
        try {
            return verified(head, body);
        } finally {
            synchronized (inside) {
                inside.remove(self);
            }
            if (ended) {
                Thread.interrupted(); // it was for this request, not for the server's next one
            }
        }
    }

    private Answer verified(SignedHead head, byte[] body) {
        boolean valid = false;
        for (byte[] key : status.watch(keys::all)) {
            String expected = Signatures.sign(key, head.id(), head.seconds(), body);
            valid |= Signatures.matches(head.signatures(), expected);
        }
        if (!valid) {
            return Answer.unauthenticated("wrong_signature");
        }
        status.heard();
        String key = ReplayCache.key(head.id(), body);
        return replays.find(key, System.currentTimeMillis())
                .map(first -> new Answer(first.status(), "repeated", first.body(), first.headers()))
                .orElseGet(() -> first(key, head, body));
    }

    private Answer first(String key, SignedHead head, byte[] body) {
        Acceptance acceptance;
        try {
            InboundMessage message =
                    MessageReader.read(body, TimeUnit.SECONDS.toMillis(head.seconds()));
            acceptance = inTurn(message);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.INVALID_ARGUMENT) {
                throw e;
            }
            return Answer.refused(400, "malformed", e.getMessage());
        }
        Answer answer = Answer.accepted(acceptance);
        replays.keep(key, answer, System.currentTimeMillis());
        return answer;
    }

    /** Messages of a conversation are handed in one after the other. */
    private Acceptance inTurn(InboundMessage message) {
        int place = MessageOrigin.orderKey(message.conversation()).hashCode();
        ReentrantLock turn = turns.get(Math.floorMod(place, turns.size()));
        try {
            if (!turn.tryLock(TURN_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "An earlier message of the conversation is still being taken.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(ErrorCode.CANCELLED, "It was interrupted.", e);
        }
        try {
            return context.accept(message);
        } finally {
            turn.unlock();
        }
    }
}
