package palyra.connectors.telegram.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.InboundAction;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.shared.connector.StatusBoard;
import palyra.shared.connector.Texts;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;

/**
 * Takes updates from Telegram, one after the other, by long polling. Telegram forgets an update
 * when a call asks for later ones, so a call does that only when the gateway has all before. What a
 * crash leaves unconfirmed comes again and is known there.
 */
final class Poller implements LoopBody {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
    private static final List<String> KINDS =
            List.of("message", "edited_message", "callback_query");
    private static final long MAX_BYTES = 32L << 20;
    private static final int MOST_SHOWN = 200; // what an answer to a pressed button may have

    private final BotApi api;
    private final ConnectorContext context;
    private final TelegramSettings settings;
    private final StatusBoard status;
    private final UpdateCounts counts;
    private final Waits waits;

    // confined to the loop's thread
    private Bot bot; // null until Telegram told
    private long offset; // first update that is wanted; 0 when Telegram knows
    private boolean healthy; // the last call succeeded
    private int failures; // in a row

    /**
     * How long is waited.
     *
     * @param firstMillis after a first failure; doubled with each further one
     * @param mostMillis at most
     * @param emptyMillis after an answer that came at once and had nothing
     * @param tokenMillis at most between looks at a token that Telegram does not know
     */
    record Waits(long firstMillis, long mostMillis, long emptyMillis, long tokenMillis) {
        static final Waits USUAL = new Waits(1_000, 60_000, 1_000, 60_000);

        /** Returns a wait with jitter: clients that failed together do not come back together. */
        long after(int failures) {
            long most = Math.min(mostMillis, firstMillis << Math.min(failures - 1, 20));
            return most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
        }
    }

    Poller(
            BotApi api,
            ConnectorContext context,
            TelegramSettings settings,
            StatusBoard status,
            UpdateCounts counts,
            Waits waits) {
        this.api = api;
        this.context = context;
        this.settings = settings;
        this.status = status;
        this.counts = counts;
        this.waits = waits;
    }

    @Override
    public void run(Heartbeat pulse) throws InterruptedException {
        while (!pulse.isStopping()) {
            pulse.idle();
            long wait = supervised(pulse);
            if (wait > 0 && !pulse.isStopping()) {
                TimeUnit.MILLISECONDS.sleep(wait);
            }
        }
    }

    private long supervised(Heartbeat pulse) throws InterruptedException {
        try {
            return round(pulse);
        } catch (RuntimeException e) {
            status.set(State.DEGRADED, "It failed unexpectedly; see palyra logs.");
            throw e; // the loop writes the log and begins again
        }
    }

    /** Asks once and hands in what came; returns how long to wait before the next time. */
    private long round(Heartbeat pulse) throws InterruptedException {
        try {
            if (bot == null) {
                bot = bot();
                LOG.info("{} is @{} at Telegram.", settings.id(), bot.username());
            }
            boolean idle = poll(pulse);
            failures = 0;
            healthy = true;
            return idle ? waits.emptyMillis() : 0;
        } catch (TokenException e) {
            awaitOtherToken(e, pulse);
            return 0;
        } catch (Setback e) {
            return failed(e.state, e.getMessage(), e.millis);
        } catch (PalyraException e) {
            return pulse.isStopping() ? 0 : failed(lost(), e.getMessage(), 0);
        }
    }

    /** A call that is to be made again. */
    private static final class Setback extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final State state;
        private final long millis;

        Setback(State state, String message, long millis) {
            super(message);
            this.state = state;
            this.millis = millis;
        }
    }

    private State lost() {
        State now = status.now().state();
        return now == State.CONNECTING ? State.CONNECTING : State.RECONNECTING;
    }

    private long failed(State state, String reason, long leastMillis) {
        healthy = false;
        failures++;
        long wait = Math.max(leastMillis, waits.after(failures));
        if (!reason.equals(status.now().reason())) {
            LOG.warn("{}: {} It is tried again until it succeeds.", settings.id(), reason);
        }
        status.set(state, reason, System.currentTimeMillis() + wait);
        return wait;
    }

    /** Waits until the vault has another token: with this one no attempt can succeed. */
    private void awaitOtherToken(TokenException e, Heartbeat pulse) throws InterruptedException {
        LOG.error("{}: {}", settings.id(), e.getMessage());
        status.set(State.FAILED, e.getMessage());
        bot = null;
        healthy = false;
        for (int looks = 1; !pulse.isStopping(); looks++) {
            TimeUnit.MILLISECONDS.sleep(Math.min(waits.after(looks), waits.tokenMillis()));
            if (otherThan(e)) {
                status.set(State.CONNECTING, "");
                return;
            }
        }
    }

    private boolean otherThan(TokenException e) {
        try {
            return !api.tokenDigest().equals(e.digest());
        } catch (PalyraException unavailable) {
            return false;
        }
    }

    private Bot bot() {
        JsonNode me = call("getMe", JsonNodeFactory.instance.objectNode(), 0);
        if (!me.path("id").isIntegralNumber()) {
            throw new Setback(lost(), "Telegram does not say which bot the token is of.", 0);
        }
        return new Bot(me.path("id").longValue(), me.path("username").asText(""));
    }

    /** Returns whether nothing came although Telegram could have waited. */
    private boolean poll(Heartbeat pulse) throws InterruptedException {
        int seconds = healthy ? settings.pollSeconds() : 0;
        ObjectNode parameters = JsonNodeFactory.instance.objectNode().put("timeout", seconds);
        if (offset > 0) {
            parameters.put("offset", offset);
        }
        KINDS.forEach(parameters.putArray("allowed_updates")::add);
        long begun = System.nanoTime();
        JsonNode updates = call("getUpdates", parameters, seconds);
        offset = 0; // it was confirmed; ids may begin elsewhere after a quiet week
        status.heard();
        for (JsonNode update : updates) {
            take(update, pulse);
        }
        if (!updates.isEmpty() && offset == 0) {
            throw new Setback(State.DEGRADED, "Telegram sent updates without ids.", 0);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        return updates.isEmpty() && seconds > 0 && millis < waits.emptyMillis();
    }

    private JsonNode call(String method, ObjectNode parameters, int seconds) {
        int millis = (int) TimeUnit.SECONDS.toMillis(seconds) + 15_000;
        EgressLimits limits =
                new EgressLimits(10_000, millis, millis + 30_000, 15_000, MAX_BYTES, 0, Set.of());
        return switch (api.call(method, parameters, limits)) {
            case ApiAnswer.Done done -> done.result();
            case ApiAnswer.Unreadable unreadable ->
                    throw new Setback(
                            lost(), "Telegram was not understood: " + unreadable.reason() + ".", 0);
            case ApiAnswer.Refused refused -> throw setback(refused);
        };
    }

    private Setback setback(ApiAnswer.Refused refused) {
        if (refused.code() == 409) {
            String why =
                    refused.says("webhook")
                            ? "A webhook is set for this bot, so Telegram gives its messages to"
                                    + " that. Remove it with the method deleteWebhook of the Bot"
                                    + " API."
                            : "Another program takes the messages of this bot. Stop it, or use a"
                                    + " bot for each.";
            return new Setback(State.DEGRADED, why + " " + refused.shown(), 0);
        }
        return new Setback(lost(), refused.shown(), refused.retryMillis());
    }

    /** Hands an update in, as often as it takes, and moves past it. */
    private void take(JsonNode update, Heartbeat pulse) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            if (pulse.isStopping()) {
                throw new InterruptedException();
            }
            pulse.beat();
            try {
                hand(update);
                break;
            } catch (PalyraException e) {
                if (e.code() == ErrorCode.INVALID_ARGUMENT) {
                    skip(update, e.getMessage());
                    break;
                }
                long wait = waits.after(attempt);
                status.set(
                        State.DEGRADED,
                        "A message could not be taken in: " + e.getMessage(),
                        System.currentTimeMillis() + wait);
                pulse.idle();
                TimeUnit.MILLISECONDS.sleep(wait);
            }
        }
        status.heard();
        if (update.path("update_id").isIntegralNumber()) {
            offset = update.path("update_id").longValue() + 1;
        }
    }

    private void hand(JsonNode update) {
        switch (new UpdateReader(bot).read(update)) {
            case Inbound.Message message -> {
                context.accept(message.message());
                counts.taken();
            }
            case Inbound.Press press -> press(press.queryId(), press.action());
            case Inbound.Ignored ignored -> {}
        }
    }

    /** The text of an update belongs into no log. */
    private void skip(JsonNode update, String why) {
        counts.skipped();
        LOG.warn(
                "{}: update {} cannot be read and is skipped: {}",
                settings.id(),
                update.path("update_id").asText("without an id"),
                why);
    }

    private void press(String queryId, Optional<InboundAction> action) {
        String shown = action.map(this::pressed).orElse("");
        ObjectNode parameters =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("callback_query_id", queryId)
                        .put("text", Texts.line(shown, MOST_SHOWN));
        try {
            call("answerCallbackQuery", parameters, 0);
        } catch (Setback | TokenException | PalyraException e) {
            // What was pressed counts; only the note about it is lost.
            LOG.debug("{}: {}", settings.id(), e.getMessage());
        }
    }

    private String pressed(InboundAction action) {
        try {
            return context.press(action);
        } catch (PalyraException e) {
            LOG.warn("{}: {}", settings.id(), e.getMessage());
            return "That did not work. Try again in a moment.";
        }
    }
}
