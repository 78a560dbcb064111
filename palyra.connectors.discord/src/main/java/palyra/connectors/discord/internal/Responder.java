package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.connectors.discord.internal.Heard.First;
import palyra.connectors.discord.internal.Tasks.Kind;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;

/**
 * Answers interactions, which Discord has to hear of within three seconds: each is deferred before
 * anything else that waits is done, by a loop that does nothing else, and amended with what came of
 * it. The reader of the gateway waits for none of it. Thread-safe.
 */
final class Responder {
    private static final Logger LOG = LoggerFactory.getLogger(Responder.class);
    private static final int AMEND_MILLIS = 10_000;

    /** How long Discord remembers that it was answered, less what clocks may differ by. */
    private static final long REMEMBERED_MILLIS = TimeUnit.MINUTES.toMillis(14);

    private static final int EPHEMERAL = 1 << 6;
    private static final int MESSAGE = 4;
    private static final int DEFERRED = 5;
    private static final int ALREADY = 40_060; // an earlier life answered it
    private static final int UNKNOWN = 10_062; // it is over, or was never there
    private static final int MOST_SHOWN = 2_000;

    private final Account account;
    private final Heard heard;
    private final Tasks tasks = new Tasks();
    private final long bornMillis = System.currentTimeMillis();
    private final Map<String, Boolean> opened = new LinkedHashMap<>(); // the forms' thread

    Responder(Account account) {
        this(account, System::nanoTime);
    }

    Responder(Account account, LongSupplier nanos) {
        this.account = account;
        this.heard = new Heard(nanos);
    }

    /** Returns what says that answers come. */
    LoopBody deferrals() {
        return tasks.loop(this::failed, Kind.DEFERRAL);
    }

    /** Returns what opens forms. */
    LoopBody forms() {
        return tasks.loop(this::failed, Kind.FORM);
    }

    /** Returns what says what came of interactions, and registers commands. */
    LoopBody answers() {
        return tasks.loop(this::failed, Kind.ANSWER, Kind.REST);
    }

    private void failed(RuntimeException e) {
        LOG.info("{}: {}", account.settings().id(), e.getMessage());
    }

    Tasks tasks() {
        return tasks;
    }

    /** Says that an answer comes, to the one who acted alone, unless it was said. */
    void defer(Interaction interaction) {
        heard.hear(interaction);
        if (heard.begins(interaction)) {
            heard.pending(interaction);
            tasks.put(Kind.DEFERRAL, () -> deferNow(interaction));
        }
    }

    /** Says so ahead of its turn, within bounds. */
    void foresee(Interaction interaction) {
        heard.hear(interaction);
        if (heard.foresee(interaction)) {
            heard.pending(interaction);
            ahead(Kind.DEFERRAL, interaction, () -> deferNow(interaction));
        }
    }

    /** Opens the form of {@link #askReason} ahead of its turn, within bounds. */
    void foreseeReason(Interaction interaction) {
        heard.hear(interaction);
        if (heard.foresee(interaction)) {
            ahead(
                    Kind.FORM,
                    interaction,
                    () -> Heard.keep(opened, interaction.id(), isOpen(interaction)));
        }
    }

    private void ahead(Kind kind, Interaction interaction, Runnable work) {
        tasks.put(
                kind,
                () -> {
                    try {
                        work.run();
                    } finally {
                        heard.over(interaction);
                    }
                });
    }

    /** Returns whether the one who acted can be told something alone, as far as can be seen. */
    boolean mayTell(Interaction interaction, Heartbeat pulse) throws InterruptedException {
        return heard.mayTell(interaction, pulse);
    }

    /**
     * Asks the one who pressed a button why, in a form, which comes back as another interaction.
     * Discord takes a form as the first answer alone.
     *
     * @param otherwise does without a reason what the button is for, when Discord opens no form any
     *     more
     * @param done called once the form is open, or the other was done
     */
    void askReason(Interaction interaction, Runnable otherwise, Runnable done) {
        heard.hear(interaction);
        tasks.put(
                Kind.FORM,
                () -> {
                    Boolean before = opened.remove(interaction.id());
                    boolean open = before == null ? isOpen(interaction) : before;
                    tasks.put(
                            Kind.ANSWER,
                            () -> {
                                if (!open) {
                                    otherwise.run();
                                }
                                done.run();
                            });
                });
    }

    /**
     * Opens a form, or says why the one who pressed may not. What is not known after two tries, or
     * when it is too late for another, counts as open: who pressed sees it, and presses again. Only
     * of an interaction that is over Discord surely opens none; of one that it has forgotten it is
     * not known whether an earlier life opened it.
     */
    private boolean isOpen(Interaction interaction) {
        boolean mine = interaction.millis() >= bornMillis;
        if (mine && heard.isLate(interaction)) {
            return false;
        }
        String refusal = refusal(interaction);
        if (!refusal.isEmpty()) {
            tellNow(interaction, refusal);
            return true; // there is nothing to do without a form either
        }
        JsonNode form = interaction.reasonForm();
        for (int attempt = 1;
                attempt == 1 || attempt == 2 && !heard.isLate(interaction);
                attempt++) {
            try {
                ApiAnswer answer = call(interaction, form);
                if (answer instanceof ApiAnswer.Done) {
                    return true;
                }
                if (answer instanceof ApiAnswer.Refused refused) {
                    LOG.info("{}: {}: {}", account.settings().id(), interaction, refused.shown());
                    if (!refused.passes()) {
                        return refused.code() != UNKNOWN || isForgotten(interaction);
                    }
                }
            } catch (PalyraException | TokenException e) {
                passOn(interaction, e);
            }
        }
        return true;
    }

    private static boolean isForgotten(Interaction interaction) {
        return System.currentTimeMillis() - interaction.millis() > REMEMBERED_MILLIS;
    }

    private ApiAnswer call(Interaction interaction, JsonNode body) {
        Route route = Route.answer(interaction.id(), interaction.token());
        return account.api().call(route, body, Heard.ANSWER_MILLIS);
    }

    /** What a stop cut off comes again in the next life; the rest is told. */
    private void passOn(Interaction interaction, RuntimeException e) {
        if (Thread.currentThread().isInterrupted()) {
            throw e;
        }
        LOG.info("{}: {}: {}", account.settings().id(), interaction, e.getMessage());
    }

    /** What is not known now is found out when the form comes back. */
    private String refusal(Interaction interaction) {
        try {
            return account.context().refusal(interaction.name(), interaction.sender());
        } catch (PalyraException e) {
            passOn(interaction, e);
            return "";
        }
    }

    /** Answers at once, to the one who acted alone; returns what is known of the first answer. */
    private First tellNow(Interaction interaction, String words) {
        ObjectNode body = DiscordApi.JSON.createObjectNode().put("type", MESSAGE);
        ObjectNode data = body.putObject("data").put("content", shown(words));
        data.put("flags", EPHEMERAL).putObject("allowed_mentions").putArray("parse");
        return answer(interaction, body, First.UNKNOWN);
    }

    /**
     * Gives a first answer, twice when it may pass. One that was lost may have arrived; Discord
     * takes no second one, and says so.
     *
     * @param already what it means that there is one, perhaps of an earlier life
     * @return DEFERRED when Discord took it
     */
    private First answer(Interaction interaction, JsonNode body, First already) {
        for (int attempt = 1;
                attempt == 1 || attempt == 2 && !heard.isLate(interaction);
                attempt++) {
            try {
                ApiAnswer answer = call(interaction, body);
                if (answer instanceof ApiAnswer.Done) {
                    return First.DEFERRED;
                }
                if (answer instanceof ApiAnswer.Refused refused && !refused.passes()) {
                    if (refused.code() == ALREADY) {
                        return already;
                    }
                    LOG.info("{}: {}: {}", account.settings().id(), interaction, refused.shown());
                    return First.REFUSED;
                }
            } catch (PalyraException | TokenException e) {
                passOn(interaction, e);
            }
        }
        return First.UNKNOWN;
    }

    private static String shown(String words) {
        return DiscordMarkdown.render(words, MOST_SHOWN).getFirst();
    }

    /**
     * Says what came of it, once it was said that an answer comes.
     *
     * @param words finds it out; called by the thread of the answers
     * @param done called once it was said, or cannot be
     */
    void finish(Interaction interaction, Supplier<String> words, Runnable done) {
        tasks.put(
                Kind.ANSWER,
                () -> {
                    amend(interaction, words.get());
                    done.run();
                });
    }

    /** Offers the slash commands that Discord does not have. */
    void register() {
        tasks.put(Kind.REST, this::registerNow);
    }

    private void deferNow(Interaction interaction) {
        ObjectNode body = DiscordApi.JSON.createObjectNode().put("type", DEFERRED);
        body.putObject("data").put("flags", EPHEMERAL);
        First known = First.UNKNOWN; // an earlier life may have said it
        try {
            if (!heard.isLate(interaction)) {
                known = answer(interaction, body, First.DEFERRED);
            }
        } finally {
            heard.concluded(interaction, known);
        }
    }

    /**
     * What was done counts; only the note about it can be lost. When it is not known whether
     * Discord waits for one, it is told at once if there is time, and else as if it did.
     */
    private void amend(Interaction interaction, String words) {
        First known = conclusion(interaction);
        if (known != First.DEFERRED && !heard.isLate(interaction)) {
            known = tellNow(interaction, words);
            if (known == First.DEFERRED) {
                return;
            }
        }
        if (known == First.REFUSED) {
            return;
        }
        ObjectNode body = DiscordApi.JSON.createObjectNode().put("content", shown(words));
        body.putObject("allowed_mentions").putArray("parse");
        try {
            Route route = Route.amend(interaction.application(), interaction.token());
            if (account.api().call(route, body, AMEND_MILLIS)
                    instanceof ApiAnswer.Refused refused) {
                LOG.info("{}: {}: {}", account.settings().id(), interaction, refused.shown());
            }
        } catch (PalyraException | TokenException e) {
            passOn(interaction, e);
        }
    }

    private First conclusion(Interaction interaction) {
        try {
            return heard.conclusion(interaction);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.CANCELLED, interaction + " comes again in the next life.", e);
        }
    }

    private void registerNow() {
        String application = account.ledger().application();
        if (application.isEmpty()) {
            return;
        }
        ApiAnswer answer = account.api().call(Route.commands(application), AMEND_MILLIS);
        if (!(answer instanceof ApiAnswer.Done done)) {
            note(answer);
            return;
        }
        for (JsonNode command : SlashCommands.missing(done.result())) {
            ApiAnswer put =
                    account.api().call(Route.putCommand(application), command, AMEND_MILLIS);
            if (!(put instanceof ApiAnswer.Done)) {
                note(put);
                return;
            }
        }
    }

    private void note(ApiAnswer answer) {
        String why = answer instanceof ApiAnswer.Refused refused ? refused.shown() : "no answer";
        LOG.warn("{}: slash commands were not registered: {}", account.settings().id(), why);
    }
}
