package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.channel.Acceptance;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Event;
import palyra.api.channel.Sender;
import palyra.connectors.discord.internal.EventCounts.Count;
import palyra.shared.loop.Heartbeat;

/**
 * Does with each event of one shard what it asks for. Only for the shard's thread, but {@link
 * #foresee}.
 */
final class EventHandler {
    private static final Logger LOG = LoggerFactory.getLogger(EventHandler.class);
    private static final int MOST_REMEMBERED = 2_000;
    private static final long HOUR_MILLIS = 3_600_000;

    private final Account account;
    private final int shard;
    private final String source; // of trouble
    private final Responder responder;
    private final Ledger ledger;
    private final long bornMillis = System.currentTimeMillis();
    private final long reachMillis; // before it, of which deletions are told
    private final Map<Long, Sender> taken = new LinkedHashMap<>();

    EventHandler(Account account, int shard, Responder responder) {
        this.account = account;
        this.shard = shard;
        this.source = "shard " + shard;
        this.responder = responder;
        this.ledger = account.ledger();
        this.reachMillis = Math.max(24, account.settings().backfillHours()) * HOUR_MILLIS;
    }

    /**
     * Handles an event, for as long as it takes; afterwards it is durable or needs not be. One that
     * comes again because an earlier one is held is done, or under way: nothing is done twice.
     */
    void handle(String type, JsonNode event, long sequence, Heartbeat pulse)
            throws InterruptedException {
        if (ledger.isHandled(shard, sequence)) {
            return;
        }
        for (int attempt = 1; ; attempt++) {
            try {
                dispatch(type, event, sequence, pulse);
                break;
            } catch (Directory.NotNowException e) {
                account.status().trouble(source, e.getMessage());
                pulse.idle();
                account.waits().again().pause(attempt);
                pulse.beat();
            } catch (PalyraException e) {
                skip(type, event, pulse, e);
                break;
            }
        }
        account.status().trouble(source, "");
        ledger.handled(shard, sequence);
    }

    /** The text of a message belongs into no log. */
    private void skip(String type, JsonNode event, Heartbeat pulse, PalyraException e)
            throws InterruptedException {
        if (pulse.isStopping()) {
            throw new InterruptedException();
        }
        account.counts().add(Count.UNREADABLE);
        LOG.warn(
                "{}: {} {} cannot be read and is skipped: {}",
                account.settings().id(),
                type,
                event.path("id").asText("without an id"),
                e.getMessage());
    }

    private void dispatch(String type, JsonNode event, long sequence, Heartbeat pulse)
            throws InterruptedException {
        switch (type) {
            case "GUILD_CREATE", "THREAD_LIST_SYNC" -> account.directory().guild(event);
            case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE" ->
                    account.directory().put(event);
            case "CHANNEL_DELETE", "THREAD_DELETE" -> account.directory().remove(event);
            case "GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE" ->
                    account.directory().rolesChanged(event);
            case "MESSAGE_CREATE" -> message(event, Event.WRITTEN, sequence, pulse);
            case "MESSAGE_UPDATE" -> message(event, Event.EDITED, sequence, pulse);
            case "MESSAGE_DELETE" -> deleted(event, MessageReader.id(event), sequence, pulse);
            case "MESSAGE_DELETE_BULK" -> allDeleted(event, sequence, pulse);
            case "INTERACTION_CREATE" -> interaction(event, sequence, pulse);
            default -> {}
        }
    }

    private void message(JsonNode event, Event kind, long sequence, Heartbeat pulse)
            throws InterruptedException {
        if (kind == Event.EDITED && !event.path("author").has("id")) {
            return; // a part of a message, of which nothing that counts changed
        }
        long id = MessageReader.id(event);
        Place place = account.directory().place(event, MissingNode.getInstance());
        switch (account.reader().read(event, kind, place)) {
            case Inbound.Message read -> {
                if (!ledger.defers(place.channel(), id, read.message(), shard, sequence)) {
                    boolean written = kind == Event.WRITTEN;
                    take(read.message(), place, written ? id : 0, sequence, pulse);
                }
            }
            case Inbound.Own own -> {
                if (!own.key().isEmpty() && kind == Event.WRITTEN) {
                    if (ledger.isForeign(own.key(), id)) {
                        account.status().foreign();
                    }
                    ledger.sent(own.key(), place.channel(), id);
                }
            }
            case Inbound.Ignored ignored -> {}
        }
    }

    private Acceptance take(
            InboundMessage message, Place place, long id, long sequence, Heartbeat pulse)
            throws InterruptedException {
        return take(message, place, id, sequence, false, pulse);
    }

    private Acceptance take(
            InboundMessage message,
            Place place,
            long id,
            long sequence,
            boolean aside,
            Heartbeat pulse)
            throws InterruptedException {
        Acceptance acceptance =
                account.accept(
                        source,
                        message,
                        () -> ledger.with(shard, sequence, place, id),
                        aside,
                        pulse);
        if (id > 0) {
            ledger.seen(place, id);
            remember(id, message.sender());
        }
        account.counts().add(Count.TAKEN);
        return acceptance;
    }

    private void remember(long id, Sender sender) {
        taken.put(id, sender);
        if (taken.size() > MOST_REMEMBERED) {
            taken.remove(taken.keySet().iterator().next());
        }
    }

    /** One event of many messages: until the last of them is told a later life needs it again. */
    private void allDeleted(JsonNode event, long sequence, Heartbeat pulse)
            throws InterruptedException {
        List<Long> ids = new ArrayList<>();
        for (JsonNode id : event.path("ids")) {
            if (Snowflakes.isOne(id.asText())) {
                ids.add(id.asLong());
            }
        }
        Runnable done = ledger.hold(shard, sequence);
        try {
            for (int i = 0; i < ids.size(); i++) {
                if (i == ids.size() - 1) {
                    done.run();
                }
                deleted(event, ids.get(i), sequence, pulse);
            }
        } finally {
            done.run();
        }
    }

    /**
     * Discord does not say who wrote what was deleted, and most of it never came here: what did is
     * not after the last message of its conversation.
     */
    private void deleted(JsonNode event, long id, long sequence, Heartbeat pulse)
            throws InterruptedException {
        String channel = MessageReader.snowflake(event, "channel_id");
        Sender sender = taken.remove(id);
        if (sender == null && ledger.place(channel).isEmpty()) {
            return; // no message of this conversation came here
        }
        ledger.deleted(channel, id); // which may be fetched just now
        boolean old = Snowflakes.millis(id) < bornMillis - reachMillis;
        if (sender == null && (old || id > ledger.last(channel))) {
            return;
        }
        Place place = account.directory().place(event, MissingNode.getInstance());
        Sender by = sender == null ? new Sender("unknown", "", false, false) : sender;
        take(MessageReader.deleted(id, by, place), place, 0, sequence, pulse);
    }

    private void interaction(JsonNode event, long sequence, Heartbeat pulse)
            throws InterruptedException {
        Place place = account.directory().place(event, event.path("channel"));
        Interaction interaction = Interaction.read(event, place);
        responder.tasks().awaitRoom(pulse);
        Runnable done = ledger.hold(shard, sequence);
        try {
            answer(interaction, sequence, done, pulse);
        } catch (PalyraException e) {
            done.run(); // it is skipped, and no later life is told of it
            throw e;
        }
    }

    private void answer(Interaction interaction, long sequence, Runnable done, Heartbeat pulse)
            throws InterruptedException {
        if (asksReason(interaction)) {
            responder.askReason(interaction, () -> pressed(interaction), done);
            return;
        }
        responder.defer(interaction);
        switch (interaction.kind()) {
            case COMMAND -> command(interaction, sequence, done, pulse);
            case BUTTON, FORM -> responder.finish(interaction, () -> pressed(interaction), done);
            case OTHER ->
                    responder.finish(
                            interaction, () -> "I do not know what to do with this.", done);
        }
    }

    /**
     * Has an interaction answered that is handled later, in its turn: Discord wants to hear within
     * three seconds. For the thread that reads.
     */
    void foresee(JsonNode event, long sequence) {
        if (ledger.isHandled(shard, sequence)) {
            return;
        }
        try {
            String channel = MessageReader.snowflake(event, "channel_id");
            Interaction interaction =
                    Interaction.read(event, new Place(channel, "", false, "")); // place: later
            if (asksReason(interaction)) {
                responder.foreseeReason(interaction);
            } else {
                responder.foresee(interaction);
            }
        } catch (PalyraException e) {
            LOG.debug("{}: {}", account.settings().id(), e.getMessage()); // its turn says so
        }
    }

    private boolean asksReason(Interaction interaction) {
        return interaction.kind() == Interaction.Kind.BUTTON
                && account.context().asksReason(interaction.name());
    }

    private void command(Interaction interaction, long sequence, Runnable done, Heartbeat pulse)
            throws InterruptedException {
        switch (interaction.name()) {
            case SlashCommands.ASK -> {
                Acceptance asked =
                        say(interaction, interaction.option(SlashCommands.TEXT), sequence, pulse);
                responder.finish(interaction, () -> Replies.asked(asked), done);
            }
            case SlashCommands.APPROVE -> {
                boolean no = interaction.option(SlashCommands.DECISION).equals(SlashCommands.DENY);
                String code = interaction.option(SlashCommands.CODE).strip();
                Acceptance answered =
                        say(interaction, (no ? "/deny " : "/approve ") + code, sequence, pulse);
                responder.finish(interaction, () -> Replies.given(answered), done);
            }
            case SlashCommands.NEW, SlashCommands.STOP, SlashCommands.AGENT, SlashCommands.HELP -> {
                Acceptance given = order(interaction, sequence, pulse);
                responder.finish(interaction, () -> Replies.given(given), done);
            }
            case SlashCommands.STATUS -> {
                Acceptance given = order(interaction, sequence, pulse);
                responder.finish(
                        interaction, () -> Replies.status(given, account.status().now()), done);
            }
            default ->
                    responder.finish(
                            interaction,
                            () -> "/" + interaction.name() + " is no command of mine any more.",
                            done);
        }
    }

    /** Says what a person without slash commands would write. */
    private Acceptance order(Interaction interaction, long sequence, Heartbeat pulse)
            throws InterruptedException {
        String name = interaction.option(SlashCommands.NAME).strip();
        return say(interaction, ("/" + interaction.name() + " " + name).strip(), sequence, pulse);
    }

    private Acceptance say(Interaction interaction, String text, long sequence, Heartbeat pulse)
            throws InterruptedException {
        InboundMessage message =
                InboundMessage.written(
                        "i" + interaction.id(),
                        interaction.sender(),
                        interaction.place().conversation(),
                        text,
                        true,
                        interaction.millis());
        boolean aside =
                responder.mayTell(interaction, pulse); // else the answer is a message, not lost
        return take(message, interaction.place(), 0, sequence, aside, pulse);
    }

    private String pressed(Interaction interaction) {
        try {
            return account.context()
                    .press(
                            new InboundAction(
                                    interaction.name(),
                                    interaction.sender(),
                                    interaction.place().conversation()),
                            interaction.reason());
        } catch (PalyraException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e; // the connector stops: it comes again
            }
            LOG.warn("{}: {}", account.settings().id(), e.getMessage());
            return "That did not work. Try again in a moment.";
        }
    }
}
