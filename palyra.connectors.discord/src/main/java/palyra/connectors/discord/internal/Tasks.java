package palyra.connectors.discord.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import palyra.api.PalyraException;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;

/**
 * What is to be done about interactions, each kind in the order in which it came. Each kind of a
 * first answer has a loop of its own: Discord waits three seconds for it, and the rest may wait for
 * the gateway. Thread-safe.
 */
final class Tasks {
    /** What a task is about. */
    enum Kind {
        /** Saying that an answer comes. */
        DEFERRAL,
        /** Opening a form, which asks the gateway before. */
        FORM,
        /** What people wait for. */
        ANSWER,
        /** The rest. */
        REST
    }

    /** Beyond that many tasks the events of the gateway wait, in its bounds. */
    private static final int MOST_WAITING = 1_000;

    private final Map<Kind, Deque<Runnable>> waiting = new EnumMap<>(Kind.class); // guarded by this

    Tasks() {
        for (Kind kind : Kind.values()) {
            waiting.put(kind, new ArrayDeque<>());
        }
    }

    synchronized void put(Kind kind, Runnable work) {
        waiting.get(kind).add(work);
        notifyAll();
    }

    /** Returns how many wait. */
    synchronized int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }

    /** Waits until there is room for more. For the thread of a shard. */
    synchronized void awaitRoom(Heartbeat pulse) throws InterruptedException {
        while (waiting() >= MOST_WAITING) {
            pulse.idle();
            wait();
        }
        pulse.beat();
    }

    /** Waits for what is to be done next, of these kinds the first that has something. */
    synchronized Runnable take(Kind... kinds) throws InterruptedException {
        while (true) {
            for (Kind kind : kinds) {
                Runnable next = waiting.get(kind).poll();
                if (next != null) {
                    notifyAll();
                    return next;
                }
            }
            wait();
        }
    }

    /**
     * Returns what does these kinds, earlier ones first.
     *
     * @param failed is told of what failed
     */
    LoopBody loop(Consumer<RuntimeException> failed, Kind... kinds) {
        return pulse -> {
            while (!pulse.isStopping()) {
                pulse.idle();
                Runnable next = take(kinds);
                pulse.beat();
                try {
                    next.run();
                } catch (PalyraException | TokenException e) {
                    if (pulse.isStopping()) {
                        return;
                    }
                    failed.accept(e);
                }
            }
        };
    }
}
