package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;

/**
 * Answers interactions, which Discord has to hear of within three seconds: each is deferred before
 * anything else that waits is done, and amended with what came of it. The reader of the gateway
 * waits for none of it. Thread-safe.
 */
final class Responder implements LoopBody {
    private static final Logger LOG = LoggerFactory.getLogger(Responder.class);
    private static final int ANSWER_MILLIS = 3_000;
    private static final int AMEND_MILLIS = 10_000;
    private static final int EPHEMERAL = 1 << 6;
    private static final int MESSAGE = 4;
    private static final int DEFERRED = 5;
    private static final int ALREADY = 40_060; // an earlier life deferred it
    private static final int UNKNOWN = 10_062; // it is over, or was never there
    private static final int MOST_SHOWN = 2_000;
    private static final int MOST_KEPT = 1_000;

    /** Interactions that are answered ahead of their turn at a time; others are in their turn. */
    private static final int MOST_FORESEEN = 64;

    /** Of them those of one person, so that who floods takes others no time. */
    private static final int MOST_OF_ONE = 4;

    /** Beyond that many answers the events of the gateway wait, in its bounds. */
    private static final int MOST_WAITING = 1_000;

    private final Account account;
    private final LongSupplier nanos;

    /** By their rank; guarded by itself. */
    private final List<Deque<Task>> tasks =
            List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());

    private long number; // of the last one that was put; guarded by tasks
    private boolean tookFirst; // whether the last one was of the first rank; guarded by tasks
    private final Map<String, Boolean> deferred =
            new LinkedHashMap<>(); // whether; guarded by foreseen
    private final Map<String, Boolean> opened = new LinkedHashMap<>(); // the loop's thread
    private final Map<String, String> foreseen =
            new LinkedHashMap<>(); // senders; guarded by itself
    private final Map<String, Boolean> answered = new LinkedHashMap<>(); // guarded by foreseen
    private final Map<String, Long> heard = new LinkedHashMap<>(); // nanos; guarded by foreseen

    /**
     * What is to be done.
     *
     * @param rank 0 for what Discord waits for, 1 for what people wait for, 2 for the rest
     * @param number counts what was put
     */
    record Task(int rank, long number, Runnable work) {}

    Responder(Account account) {
        this(account, System::nanoTime);
    }

    Responder(Account account, LongSupplier nanos) {
        this.account = account;
        this.nanos = nanos;
    }

    /** Says that an answer comes, to the one who acted alone, unless it was said. */
    void defer(Interaction interaction) {
        hear(interaction);
        if (!isAnswered(interaction)) {
            put(0, () -> deferNow(interaction));
        }
    }

    /** Says so ahead of its turn, within bounds. */
    void foresee(Interaction interaction) {
        ahead(interaction, () -> deferNow(interaction));
    }

    /** Opens the form of {@link #askReason} ahead of its turn, within bounds. */
    void foreseeReason(Interaction interaction) {
        ahead(interaction, () -> keep(opened, interaction.id(), isOpen(interaction)));
    }

    private void ahead(Interaction interaction, Runnable work) {
        hear(interaction);
        String sender = interaction.sender().id();
        synchronized (foreseen) {
            long same = foreseen.values().stream().filter(sender::equals).count();
            if (same >= MOST_OF_ONE
                    || foreseen.size() >= MOST_FORESEEN
                    || answered.containsKey(interaction.id())) {
                return;
            }
            foreseen.put(interaction.id(), sender);
            keep(answered, interaction.id(), true);
        }
        put(
                0,
                () -> {
                    try {
                        work.run();
                    } finally {
                        synchronized (foreseen) {
                            foreseen.remove(interaction.id());
                        }
                    }
                });
    }

    /**
     * Returns whether the one who acted can be told something alone: Discord knows that an answer
     * comes, or will in time, as far as can be seen.
     */
    boolean mayTell(Interaction interaction) {
        synchronized (foreseen) {
            Boolean known = deferred.get(interaction.id());
            if (known != null) {
                return known;
            }
        }
        long age = System.currentTimeMillis() - interaction.millis();
        return age < ANSWER_MILLIS;
    }

    private boolean isAnswered(Interaction interaction) {
        synchronized (foreseen) {
            return answered.containsKey(interaction.id());
        }
    }

    /** The clock of this computer may be wrong, so it counts from when it came here. */
    private void hear(Interaction interaction) {
        synchronized (foreseen) {
            if (!heard.containsKey(interaction.id())) {
                keep(heard, interaction.id(), nanos.getAsLong());
            }
        }
    }

    /** Returns whether Discord takes no first answer any more, whatever it would say. */
    private boolean isLate(Interaction interaction) {
        synchronized (foreseen) {
            Long since = heard.get(interaction.id());
            return since != null
                    && nanos.getAsLong() - since > TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS);
        }
    }

    private static <T> void keep(Map<String, T> in, String id, T value) {
        in.put(id, value);
        while (in.size() > MOST_KEPT) {
            in.remove(in.keySet().iterator().next());
        }
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
        hear(interaction);
        put(
                0,
                () -> {
                    Boolean before = opened.remove(interaction.id());
                    boolean open = before == null ? isOpen(interaction) : before;
                    put(
                            1,
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
     * of an interaction that is over Discord surely opens none.
     */
    private boolean isOpen(Interaction interaction) {
        if (isLate(interaction)) {
            return false;
        }
        String refusal = refusal(interaction);
        if (!refusal.isEmpty()) {
            tellNow(interaction, refusal);
            return true; // there is nothing to do without a form either
        }
        JsonNode form = interaction.reasonForm();
        for (int attempt = 1; attempt == 1 || attempt == 2 && !isLate(interaction); attempt++) {
            try {
                ApiAnswer answer =
                        account.api()
                                .call(
                                        Route.answer(interaction.id(), interaction.token()),
                                        form,
                                        ANSWER_MILLIS);
                if (answer instanceof ApiAnswer.Done) {
                    return true;
                }
                if (answer instanceof ApiAnswer.Refused refused) {
                    LOG.info("{}: {}: {}", account.settings().id(), interaction, refused.shown());
                    if (!refused.passes()) {
                        return refused.code() != UNKNOWN;
                    }
                }
            } catch (PalyraException | TokenException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e; // it comes again in the next life
                }
                LOG.info("{}: {}: {}", account.settings().id(), interaction, e.getMessage());
            }
        }
        return true;
    }

    /** What is not known now is found out when the form comes back. */
    private String refusal(Interaction interaction) {
        try {
            return account.context().refusal(interaction.name(), interaction.sender());
        } catch (PalyraException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e; // it comes again in the next life
            }
            LOG.info("{}: {}: {}", account.settings().id(), interaction, e.getMessage());
            return "";
        }
    }

    /** Answers at once, to the one who acted alone; only the note can be lost. */
    private void tellNow(Interaction interaction, String words) {
        ObjectNode body = DiscordApi.JSON.createObjectNode().put("type", MESSAGE);
        ObjectNode data = body.putObject("data").put("content", shown(words));
        data.put("flags", EPHEMERAL).putObject("allowed_mentions").putArray("parse");
        try {
            ApiAnswer answer = callTwice(interaction, body);
            if (answer instanceof ApiAnswer.Refused refused && refused.code() != ALREADY) {
                LOG.info("{}: {}: {}", account.settings().id(), interaction, refused.shown());
            }
        } catch (PalyraException | TokenException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e; // it comes again in the next life
            }
            LOG.info("{}: {}: {}", account.settings().id(), interaction, e.getMessage());
        }
    }

    private static String shown(String words) {
        return DiscordMarkdown.render(words, MOST_SHOWN).getFirst();
    }

    /**
     * Says what came of it.
     *
     * @param words finds it out; called by the responder's thread
     * @param done called once it was said, or cannot be
     */
    void finish(Interaction interaction, Supplier<String> words, Runnable done) {
        put(
                1,
                () -> {
                    amend(interaction, words.get());
                    done.run();
                });
    }

    /** Offers the slash commands that Discord does not have. */
    void register() {
        put(2, this::registerNow);
    }

    /** Returns how many answers wait. */
    int waiting() {
        synchronized (tasks) {
            return tasks.stream().mapToInt(Deque::size).sum();
        }
    }

    /** Waits until there is room for more answers. For the thread of a shard. */
    void awaitRoom(Heartbeat pulse) throws InterruptedException {
        synchronized (tasks) {
            while (waiting() >= MOST_WAITING) {
                pulse.idle();
                tasks.wait();
            }
        }
        pulse.beat();
    }

    private void put(int rank, Runnable work) {
        synchronized (tasks) {
            tasks.get(rank).add(new Task(rank, ++number, work));
            tasks.notifyAll();
        }
    }

    /** Waits for what is to be done next. */
    Task take() throws InterruptedException {
        synchronized (tasks) {
            while (waiting() == 0) {
                tasks.wait();
            }
            int rank = nextRank();
            tookFirst = rank == 0;
            Task task = tasks.get(rank).remove();
            tasks.notifyAll();
            return task;
        }
    }

    /**
     * What Discord waits for goes ahead, but not twice ahead of what people waited for before: what
     * came of an interaction is never said before that an answer comes.
     */
    private int nextRank() {
        Task first = tasks.get(0).peek();
        Task second = tasks.get(1).peek();
        if (tookFirst && second != null && (first == null || second.number() < first.number())) {
            return 1;
        }
        int rank = 0;
        while (tasks.get(rank).isEmpty()) {
            rank++;
        }
        return rank;
    }

    @Override
    public void run(Heartbeat pulse) throws InterruptedException {
        while (!pulse.isStopping()) {
            pulse.idle();
            Task task = take();
            pulse.beat();
            try {
                task.work().run();
            } catch (PalyraException | TokenException e) {
                if (pulse.isStopping()) {
                    return;
                }
                LOG.info("{}: {}", account.settings().id(), e.getMessage());
            }
        }
    }

    /** A first answer that was lost may have arrived; Discord takes no second one, and says so. */
    private ApiAnswer callTwice(Interaction interaction, JsonNode body) {
        Route route = Route.answer(interaction.id(), interaction.token());
        try {
            return account.api().call(route, body, ANSWER_MILLIS);
        } catch (PalyraException e) {
            if (Thread.currentThread().isInterrupted() || isLate(interaction)) {
                throw e;
            }
            return account.api().call(route, body, ANSWER_MILLIS);
        }
    }

    private void deferNow(Interaction interaction) {
        ObjectNode body = DiscordApi.JSON.createObjectNode().put("type", DEFERRED);
        body.putObject("data").put("flags", EPHEMERAL);
        boolean known = false;
        try {
            if (isLate(interaction)) {
                return;
            }
            ApiAnswer answer = callTwice(interaction, body);
            known =
                    answer instanceof ApiAnswer.Done
                            || answer instanceof ApiAnswer.Refused refused
                                    && refused.code() == ALREADY;
            if (answer instanceof ApiAnswer.Refused refused && !known) {
                LOG.info("{}: {}: {}", account.settings().id(), interaction, refused.shown());
            }
        } finally {
            synchronized (foreseen) {
                keep(deferred, interaction.id(), known);
                if (!known) {
                    answered.remove(interaction.id()); // it may come again
                }
            }
        }
    }

    /** What was done counts; only the note about it can be lost. */
    private void amend(Interaction interaction, String words) {
        synchronized (foreseen) {
            if (!Optional.ofNullable(deferred.remove(interaction.id())).orElse(false)) {
                return;
            }
        }
        ObjectNode body = DiscordApi.JSON.createObjectNode().put("content", shown(words));
        body.putObject("allowed_mentions").putArray("parse");
        try {
            ApiAnswer answer =
                    account.api()
                            .call(
                                    Route.amend(interaction.application(), interaction.token()),
                                    body,
                                    AMEND_MILLIS);
            if (answer instanceof ApiAnswer.Refused refused) {
                LOG.info("{}: {}: {}", account.settings().id(), interaction, refused.shown());
            }
        } catch (PalyraException | TokenException e) {
            LOG.info("{}: {}: {}", account.settings().id(), interaction, e.getMessage());
            if (Thread.currentThread().isInterrupted()) {
                throw e; // it comes again in the next life
            }
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
