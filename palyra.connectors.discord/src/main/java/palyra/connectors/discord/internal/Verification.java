package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;
import palyra.shared.connector.Texts;

/** Asks Discord what it thinks of a bot, and says what is missing in the names of its pages. */
final class Verification {
    private static final int ASK_MILLIS = 15_000;
    private static final int MOST_LOOKS = 20;
    private static final long LOOK_MILLIS = 250;
    private static final String NOT_DISCORD =
            "The answer has not the form of Discord's: look at apiUrl, and at what is between here"
                    + " and Discord.";

    /** View Channels, Send Messages, in threads too, Read Message History, Add Reactions. */
    private static final long PERMISSIONS =
            1L << 10 | 1L << 11 | 1L << 38 | 1L << 16 | 1L << 15 | 1L << 6;

    /**
     * One thing that was looked at.
     *
     * @param name what
     * @param fine whether nothing is missing
     * @param words what Discord says, or what to do
     */
    record Check(String name, boolean fine, String words) {}

    private final Account account;
    private final ConnectorStatus status;
    private final List<Check> checks = new ArrayList<>();
    private String application = "";

    private Verification(Account account, ConnectorStatus status) {
        this.account = account;
        this.status = status;
    }

    /** Looks at everything that can be asked for. */
    static List<Check> of(Account account, ConnectorStatus status) {
        Verification verification = new Verification(account, status);
        verification.all();
        return List.copyOf(verification.checks);
    }

    /** Returns the address at which an owner of a server lets the bot in. */
    static String invitation(String application) {
        return "https://discord.com/oauth2/authorize?client_id="
                + application
                + "&scope=bot%20applications.commands&permissions="
                + PERMISSIONS;
    }

    private void all() {
        if (!check("Token", Route.self(), Verification::isNamed, this::self)) {
            return; // nothing else can be asked for
        }
        check("Intents", Route.application(), Verification::isNamed, this::intents);
        check("Gateway", Route.gateway(), Verification::isGateway, this::gateway);
        check("Servers", Route.guilds(), JsonNode::isArray, this::servers);
        if (account.settings().slashCommands() && !application.isEmpty()) {
            check("Slash commands", Route.commands(application), JsonNode::isArray, this::commands);
        }
        boolean ready = status.state() == State.READY;
        checks.add(
                new Check(
                        "Connection",
                        ready,
                        status.state() + (ready ? "" : ": " + status.reason())));
    }

    private static boolean isAnyMissing(JsonNode commands) {
        return !SlashCommands.missing(commands).isEmpty();
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private interface Look {
        Check at(JsonNode told);
    }

    /** Returns whether an answer is about something that has an id of Discord. */
    static boolean isNamed(JsonNode told) {
        return Snowflakes.isOne(told.path("id").asText(""));
    }

    private static boolean isGateway(JsonNode told) {
        JsonNode limit = told.path("session_start_limit");
        return told.path("shards").canConvertToInt()
                && limit.path("remaining").canConvertToInt()
                && limit.path("total").canConvertToInt();
    }

    /**
     * Asks for one thing.
     *
     * @param usable whether an answer has what is looked at
     */
    private boolean check(String name, Route route, Predicate<JsonNode> usable, Look look) {
        try {
            checks.add(
                    switch (account.api().call(route, ASK_MILLIS)) {
                        case ApiAnswer.Done done when !usable.test(done.result()) ->
                                new Check(name, false, NOT_DISCORD);
                        case ApiAnswer.Done done -> look.at(done.result());
                        case ApiAnswer.Refused refused -> new Check(name, false, refused.shown());
                        case ApiAnswer.Unreadable unreadable ->
                                new Check(name, false, unreadable.reason());
                    });
        } catch (TokenException | PalyraException e) {
            checks.add(new Check(name, false, e.getMessage()));
        }
        return checks.getLast().fine();
    }

    private Check self(JsonNode bot) {
        return new Check(
                "Token",
                true,
                "It is that of "
                        + Texts.line(bot.path("username").asText(), 100)
                        + " ("
                        + bot.path("id").asText()
                        + ").");
    }

    private Check intents(JsonNode told) {
        application = told.path("id").asText("");
        boolean on = ApplicationFlags.mayReadContent(told.path("flags").asLong());
        boolean wanted = account.settings().messageContent();
        if (wanted && !on) {
            return new Check("Intents", false, CloseCodes.remedy(CloseCodes.DISALLOWED_INTENTS));
        }
        if (!isAtWork()) {
            return new Check(
                    "Intents",
                    false,
                    "The session was begun with other intents than are configured; another one is"
                            + " begun. Try again in a moment, and see palyra channels status.");
        }
        return new Check(
                "Intents",
                true,
                wanted
                        ? "Message Content Intent is on: the bot reads all messages that it sees."
                        : "The bot reads direct messages and those that mention it"
                                + (on ? "; Message Content Intent is on and not used." : "."));
    }

    /** Returns whether the sessions that there are were begun with what is configured. */
    private boolean isAtWork() {
        int intents = account.settings().intents();
        return IntStream.range(0, account.settings().shards())
                .mapToObj(account.ledger()::session)
                .allMatch(one -> one.id().isEmpty() || one.intents() == intents);
    }

    private Check gateway(JsonNode told) {
        JsonNode limit = told.path("session_start_limit");
        int needed = told.path("shards").asInt();
        int have = account.settings().shards();
        boolean enough = have >= needed && limit.path("remaining").asInt() > 0;
        return new Check(
                "Gateway",
                enough,
                limit.path("remaining").asText()
                        + " of "
                        + limit.path("total").asText()
                        + " logins are left today; Discord recommends "
                        + needed
                        + (needed == 1 ? " shard" : " shards")
                        + ", and "
                        + have
                        + (have == 1 ? " is" : " are")
                        + " configured"
                        + (have >= needed ? "." : ": set shards to " + needed + "."));
    }

    private Check servers(JsonNode told) {
        boolean any = !told.isEmpty();
        return new Check(
                "Servers",
                any,
                any
                        ? "The bot is in "
                                + told.size()
                                + (told.size() == 1 ? " server." : " servers.")
                        : "The bot is in no server, so no user of one can write to it. Let it in: "
                                + invitation(application));
    }

    /** They are registered one by one once a session begins, which takes a moment. */
    private Check commands(JsonNode told) {
        JsonNode now = told;
        boolean begun = status.state() == State.READY;
        for (int look = 1; begun && look < MOST_LOOKS && isAnyMissing(now); look++) {
            if (!pause()) {
                break;
            }
            if (account.api().call(Route.commands(application), ASK_MILLIS)
                            instanceof ApiAnswer.Done done
                    && done.result().isArray()) {
                now = done.result();
            }
        }
        int missing = SlashCommands.missing(now).size();
        return new Check(
                "Slash commands",
                missing == 0,
                missing == 0
                        ? now.size() + " are registered."
                        : missing
                                + (begun
                                        ? " are not registered as they should be; see palyra logs."
                                        : " are not registered; they are once it is connected."));
    }
}
