package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Event;
import palyra.api.channel.Sender;
import palyra.connectors.discord.internal.EventCounts.Count;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;
import palyra.shared.loop.Pauses;

/**
 * Fetches what was written in the known conversations while Discord had given the session up: for
 * each the messages after the last one that came, oldest first. What is written there meanwhile
 * waits and comes with the history or, when that does not bring it, after it, so order is kept; a
 * conversation without a gap waits for none of it.
 */
final class Backfill implements LoopBody {
    private static final Logger LOG = LoggerFactory.getLogger(Backfill.class);
    private static final int PAGE = 100;
    private static final int MOST_PAGES = 10;
    private static final int ASK_MILLIS = 15_000;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final long OVERLAP_MILLIS = 60_000;

    private static final String SOURCE = "backfill"; // of trouble

    private final Account account;
    private final BooleanSupplier connected;
    private final Pauses pauses = new Pauses();
    private String why = ""; // something is missing still; of this pass

    /**
     * Creates it.
     *
     * @param connected whether every shard has a session, so that nothing can be missed between a
     *     last look and the first event
     */
    Backfill(Account account, BooleanSupplier connected) {
        this.account = account;
        this.connected = connected;
    }

    /** Looks soon whether something is missing. */
    void wake() {
        pauses.wake();
    }

    @Override
    public void run(Heartbeat pulse) throws InterruptedException {
        int failures = 0;
        while (!pulse.isStopping()) {
            pulse.idle();
            if (failures > 0) {
                pauses.pause(
                        TimeUnit.MILLISECONDS.toNanos(account.waits().again().millis(failures)));
            } else if (account.ledger().gaps().isEmpty() || !connected.getAsBoolean()) {
                pauses.pause(TimeUnit.HOURS.toNanos(1));
            }
            if (!pulse.isStopping() && connected.getAsBoolean()) {
                failures = all(pulse) ? 0 : failures + 1;
            }
        }
    }

    /** Returns whether nothing is missing any more. */
    private boolean all(Heartbeat pulse) throws InterruptedException {
        boolean all = true;
        why = "";
        for (String channel : account.ledger().gaps()) {
            if (pulse.isStopping()) {
                return true;
            }
            pulse.beat();
            all &= fill(channel, pulse);
        }
        account.status().behind(all ? "" : why);
        return all;
    }

    private boolean fill(String channel, Heartbeat pulse) throws InterruptedException {
        long cursor = begin(channel);
        for (int page = 1; connected.getAsBoolean(); page++) {
            int left = account.ledger().left(channel);
            List<JsonNode> messages = new ArrayList<>();
            switch (fetch(channel, cursor)) {
                case ApiAnswer.Done done -> done.result().forEach(messages::add);
                case ApiAnswer.Unreadable unreadable -> {
                    return later(channel, unreadable.reason());
                }
                case ApiAnswer.Refused refused -> {
                    return refused.passes()
                            ? later(channel, refused.shown())
                            : gone(channel, refused, pulse);
                }
            }
            long last;
            try {
                last = hand(channel, cursor, messages, pulse);
            } catch (Directory.NotNowException e) {
                return later(channel, e.getMessage());
            }
            boolean whole = messages.size() < PAGE || last <= cursor;
            cursor = Math.max(cursor, last);
            if (page >= MOST_PAGES && !whole) {
                limited(channel);
                whole = true;
            }
            if (whole) {
                cursor = Math.max(cursor, handDeferred(channel, pulse));
                if (account.ledger().closed(channel, left)) {
                    return true;
                }
            }
            if (page >= 2 * MOST_PAGES) {
                return false; // others wait as well
            }
        }
        return false;
    }

    /** Events may come in another order than messages, so the look begins a little earlier. */
    private long begin(String channel) {
        long reach = account.settings().backfillHours() * HOUR_MILLIS;
        long last = account.ledger().last(channel);
        long earlier = last == 0 ? 0 : Snowflakes.first(Snowflakes.millis(last) - OVERLAP_MILLIS);
        return Math.max(earlier, Snowflakes.first(System.currentTimeMillis() - reach));
    }

    private ApiAnswer fetch(String channel, long after) {
        try {
            return account.api().call(Route.messages(channel, after, PAGE), ASK_MILLIS);
        } catch (PalyraException | TokenException e) {
            return new ApiAnswer.Unreadable(e.getMessage());
        }
    }

    /** What is written there meanwhile waits too, so that is told. */
    private boolean later(String channel, String reason) {
        why =
                "What was written in channel "
                        + channel
                        + " while the session was lost cannot be fetched now, and newer messages"
                        + " there wait for it: "
                        + reason;
        return false;
    }

    private boolean gone(String channel, ApiAnswer.Refused refused, Heartbeat pulse)
            throws InterruptedException {
        account.counts().add(Count.GONE);
        LOG.warn(
                "{}: what was written in channel {} while the session was lost cannot be fetched:"
                        + " {}",
                account.settings().id(),
                channel,
                refused.shown());
        int left;
        do {
            left = account.ledger().left(channel);
            handDeferred(channel, pulse);
        } while (!account.ledger().closed(channel, left));
        return true;
    }

    private void limited(String channel) {
        account.counts().add(Count.LEFT);
        LOG.warn(
                "{}: in channel {} more than {} messages were written while the session was lost;"
                        + " later ones are not fetched.",
                account.settings().id(),
                channel,
                PAGE * MOST_PAGES);
    }

    /** Hands messages in, oldest first; returns the id of the last one. */
    private long hand(String channel, long after, List<JsonNode> messages, Heartbeat pulse)
            throws InterruptedException {
        messages.removeIf(one -> !Snowflakes.isOne(one.path("id").asText()));
        messages.sort(Comparator.comparingLong(MessageReader::id));
        Place place = place(channel);
        Map<Long, Long> edits = new HashMap<>();
        long last = after;
        for (JsonNode message : messages) {
            long id = MessageReader.id(message);
            if (id > after && !account.ledger().isDeleted(id)) {
                Optional<Sender> taken = take(message, place, id, pulse);
                edits.put(id, MessageReader.lastEditMillis(message));
                account.ledger().seen(place, id);
                withdraw(id, taken, place, pulse);
            }
            account.ledger().seen(place, id);
            last = Math.max(last, id);
        }
        settle(place, last, edits, pulse);
        return last;
    }

    private Place place(String channel) {
        return account.ledger().place(channel).orElse(new Place(channel, "", false, ""));
    }

    /** Returns who wrote it, when it was taken. */
    private Optional<Sender> take(JsonNode message, Place place, long id, Heartbeat pulse)
            throws InterruptedException {
        try {
            if (account.reader().read(message, Event.WRITTEN, place)
                    instanceof Inbound.Message read) {
                accept(read.message(), place, id, pulse);
                account.counts().add(Count.FETCHED);
                return Optional.of(read.message().sender());
            }
        } catch (PalyraException e) {
            skip(id, e);
        }
        return Optional.empty();
    }

    private void accept(InboundMessage message, Place place, long id, Heartbeat pulse)
            throws InterruptedException {
        account.accept(
                SOURCE,
                message,
                () -> account.ledger().with(GatewayShard.NONE, 0, place, id),
                false,
                pulse);
    }

    /**
     * Takes a message back that was deleted while it was handed in: before it was seen the deletion
     * was that of a message which never came.
     */
    private void withdraw(long id, Optional<Sender> taken, Place place, Heartbeat pulse)
            throws InterruptedException {
        if (taken.isEmpty() || !account.ledger().isDeleted(id)) {
            return;
        }
        try {
            accept(MessageReader.deleted(id, taken.get(), place), place, 0, pulse);
        } catch (PalyraException e) {
            skip(id, e);
        }
    }

    private void skip(long id, PalyraException e) {
        account.counts().add(Count.UNREADABLE);
        LOG.warn(
                "{}: message {} cannot be read and is skipped: {}",
                account.settings().id(),
                id,
                e.getMessage());
    }

    /** Of what waited, the history brought the messages; edits may be later than it. */
    private void settle(Place place, long last, Map<Long, Long> edits, Heartbeat pulse)
            throws InterruptedException {
        for (Deferred.Waiting one : account.ledger().deferred(place.channel())) {
            if (one.id() > last) {
                continue;
            }
            boolean later =
                    !account.ledger().isDeleted(one.id())
                            && one.message().event() == Event.EDITED
                            && one.message().sentAtMillis()
                                    > edits.getOrDefault(one.id(), Long.MAX_VALUE);
            if (later) {
                hand(one, place, pulse);
            }
            account.ledger().settled(place.channel(), one);
        }
    }

    /** Hands in what waited and the history did not bring; returns the id of the last one. */
    private long handDeferred(String channel, Heartbeat pulse) throws InterruptedException {
        Place place = place(channel);
        long last = 0;
        for (Deferred.Waiting one : account.ledger().deferred(channel)) {
            if (!account.ledger().isDeleted(one.id())) {
                hand(one, place, pulse);
                last = Math.max(last, one.id());
            }
            account.ledger().settled(channel, one);
        }
        return last;
    }

    private void hand(Deferred.Waiting one, Place place, Heartbeat pulse)
            throws InterruptedException {
        long id = one.message().event() == Event.WRITTEN ? one.id() : 0;
        try {
            accept(one.message(), place, id, pulse);
            account.counts().add(Count.TAKEN);
            if (id > 0) {
                account.ledger().seen(place, id);
                withdraw(id, Optional.of(one.message().sender()), place, pulse);
            }
        } catch (PalyraException e) {
            skip(one.id(), e);
        }
    }
}
