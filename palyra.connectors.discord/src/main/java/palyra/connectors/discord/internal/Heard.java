package palyra.connectors.discord.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import palyra.shared.loop.Heartbeat;

/**
 * The interactions that were heard of lately: when, and what is known of the first answer to each,
 * of which Discord takes one, within three seconds. Thread-safe.
 */
final class Heard {
    static final int ANSWER_MILLIS = 3_000;

    /** How long a first answer that is under way is waited for: two tries of it. */
    private static final int UNDER_WAY_MILLIS = 3 * ANSWER_MILLIS;

    private static final int MOST_KEPT = 1_000;

    /** Interactions that are answered ahead of their turn at a time; others are in their turn. */
    private static final int MOST_FORESEEN = 64;

    /** Of them those of one person, so that who floods takes others no time. */
    private static final int MOST_OF_ONE = 4;

    /** What is known of a first answer. */
    enum First {
        /** It is to be given, or under way. */
        PENDING,
        /** Discord knows that an answer comes. */
        DEFERRED,
        /** Discord took none. */
        REFUSED,
        /** It may have arrived, in this life or an earlier one. */
        UNKNOWN
    }

    private final LongSupplier nanos;
    private final Map<String, Long> since = new LinkedHashMap<>(); // nanos; guarded by this, as all
    private final Map<String, First> first = new LinkedHashMap<>();
    private final Map<String, Boolean> answered = new LinkedHashMap<>(); // ahead, or in their turn
    private final Map<String, String> foreseen = new LinkedHashMap<>(); // senders

    Heard(LongSupplier nanos) {
        this.nanos = nanos;
    }

    static <T> void keep(Map<String, T> in, String id, T value) {
        in.put(id, value);
        while (in.size() > MOST_KEPT) {
            in.remove(in.keySet().iterator().next());
        }
    }

    /** Takes note of one. The clock of this computer may be wrong, so it counts from here. */
    synchronized void hear(Interaction interaction) {
        if (!since.containsKey(interaction.id())) {
            keep(since, interaction.id(), nanos.getAsLong());
        }
    }

    /** Returns whether Discord takes no first answer any more, whatever it would say. */
    synchronized boolean isLate(Interaction interaction) {
        Long heard = since.get(interaction.id());
        return heard != null
                && nanos.getAsLong() - heard > TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS);
    }

    /**
     * Returns whether one may be answered ahead of its turn, within bounds, and was not answered.
     * Then it counts until {@link #over}.
     */
    synchronized boolean foresee(Interaction interaction) {
        String sender = interaction.sender().id();
        long same = foreseen.values().stream().filter(sender::equals).count();
        if (same >= MOST_OF_ONE
                || foreseen.size() >= MOST_FORESEEN
                || answered.containsKey(interaction.id())) {
            return false;
        }
        foreseen.put(interaction.id(), sender);
        keep(answered, interaction.id(), true);
        return true;
    }

    synchronized void over(Interaction interaction) {
        foreseen.remove(interaction.id());
    }

    /** Returns whether one has to be deferred in its turn: it was not ahead of it. */
    synchronized boolean begins(Interaction interaction) {
        if (answered.containsKey(interaction.id())) {
            return false;
        }
        keep(answered, interaction.id(), true);
        return true;
    }

    synchronized void pending(Interaction interaction) {
        keep(first, interaction.id(), First.PENDING);
    }

    /** Takes note of what became of a deferral. */
    synchronized void concluded(Interaction interaction, First known) {
        keep(first, interaction.id(), known);
        if (known == First.UNKNOWN) {
            answered.remove(interaction.id()); // its turn tries again
        }
        notifyAll();
    }

    /** Returns what became of a deferral once that is known, and forgets it. */
    synchronized First conclusion(Interaction interaction) throws InterruptedException {
        First known = await(interaction, UNDER_WAY_MILLIS);
        first.remove(interaction.id());
        return known;
    }

    private First await(Interaction interaction, long millis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (first.get(interaction.id()) == First.PENDING) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                return First.UNKNOWN;
            }
            wait(left);
        }
        return first.getOrDefault(interaction.id(), First.UNKNOWN);
    }

    /**
     * Returns whether the one who acted can be told something alone: Discord knows that an answer
     * comes, or will in time. By the clocks of both an interaction may be old that came just now,
     * because a clock is wrong, or because it happened while there was no connection: then what
     * Discord says to the deferral is waited for.
     */
    synchronized boolean mayTell(Interaction interaction, Heartbeat pulse)
            throws InterruptedException {
        First known = first.get(interaction.id());
        if (known != null && known != First.PENDING) {
            return known == First.DEFERRED;
        }
        boolean young = System.currentTimeMillis() - interaction.millis() < ANSWER_MILLIS;
        if (known == null && !since.containsKey(interaction.id())) {
            return young;
        }
        if (young || isLate(interaction)) {
            return !isLate(interaction);
        }
        pulse.idle();
        boolean deferred = await(interaction, ANSWER_MILLIS) == First.DEFERRED;
        pulse.beat();
        return deferred;
    }
}
